// The inbox socket: other programs of the same user post lines into it.
//
// It lies in a folder of its own that only its user may enter, and both go at a normal exit. Nothing is ever answered
// on a connection. Where no socket can be made (a path too long for one), the client runs without an inbox.

import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** Without its newline; a longer line is dropped with its connection. */
const longestLine = 1_048_575;
/** A connection that posts nothing is closed. */
const silentMs = 30_000;

export class InboxSocket {
  private constructor(
    readonly path: string,
    private readonly server: Server,
  ) {}

  /** `take` gets the lines that arrived together. */
  static async open(take: (lines: readonly string[]) => void): Promise<InboxSocket | null> {
    // mkdtemp makes a folder with mode 0700.
    const path = join(mkdtempSync(join(tmpdir(), "demo-socks-")), `${process.pid}.sock`);
    const server = createServer((connection) => readLines(connection, take));
    try {
      await new Promise<void>((listening, failed) => {
        server.once("error", failed);
        server.listen(path, listening);
      });
      chmodSync(path, 0o600);
    } catch {
      rmSync(dirname(path), { recursive: true, force: true });
      return null;
    }
    return new InboxSocket(path, server);
  }

  close(): void {
    this.server.close();
    rmSync(dirname(this.path), { recursive: true, force: true });
  }
}

function readLines(connection: Socket, take: (lines: readonly string[]) => void): void {
  let rest = "";
  const takeThese = (lines: readonly string[]) => {
    const whole = lines.filter((line) => line !== "" && line.length <= longestLine);
    if (whole.length > 0) take(whole);
  };
  connection.setEncoding("utf8");
  connection.setTimeout(silentMs, () => connection.destroy());
  connection.on("error", () => connection.destroy());
  connection.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop()!;
    takeThese(lines);
    if (rest.length > longestLine) connection.destroy();
  });
  // The end of the connection ends a line, too.
  connection.on("end", () => takeThese([rest]));
}
