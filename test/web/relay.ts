// A connection between browser and server that can break, as an ssh tunnel does.

import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Relay {
  /** `127.0.0.1:PORT`, as the browser calls it. */
  host: string;
  /** From now on connections go to this port. */
  leadTo(port: number): void;
  /** Breaks all connections, and refuses new ones. */
  cut(): void;
  mend(): void;
  close(): void;
}

export async function openRelay(): Promise<Relay> {
  const open = new Set<Socket>();
  let target: number | null = null;
  let isCut = false;
  const keep = (socket: Socket) => {
    open.add(socket);
    // The other end went away.
    socket.on("error", () => {});
    socket.on("close", () => open.delete(socket));
  };
  const server = createServer((incoming) => {
    keep(incoming);
    if (isCut || target === null) {
      incoming.destroy();
      return;
    }
    const outgoing = connect(target, "127.0.0.1");
    keep(outgoing);
    incoming.pipe(outgoing).pipe(incoming);
    incoming.on("close", () => outgoing.destroy());
    outgoing.on("close", () => incoming.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(port) {
      target = port;
    },
    cut,
    mend() {
      isCut = false;
    },
    close() {
      cut();
      server.close();
    },
  };
}
