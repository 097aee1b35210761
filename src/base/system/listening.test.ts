import { createServer } from "node:net";
import { expect, test } from "vitest";
import { loopbackListeners, loopbackPorts } from "./listening.js";

test("only sockets of 127.0.0.1 that accept connections count", () => {
  const head =
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode";
  const row = (local: string, state: string, inode: number) =>
    `   0: ${local} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 x`;
  const table = [
    head,
    row("0100007F:1000", "0A", 1),
    row("00000000:1001", "0A", 2),
    row("0100007F:1002", "01", 3),
    "",
  ];
  expect(loopbackListeners(table.join("\n"))).toEqual([{ port: 4096, inode: "1" }]);
});

test("a process's own ports are found, and no others", async () => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  try {
    const { port } = server.address() as { port: number };
    expect(loopbackPorts(process.pid)).toContain(port);
    expect(loopbackPorts(process.ppid) ?? []).not.toContain(port);
  } finally {
    server.close();
  }
});
