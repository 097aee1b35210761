// The newest nats-server that Debian has. It needs no libraries but the machine's own.

import { join } from "node:path";
import { unpackedFromDebian } from "../debian.js";

export async function newestServer(): Promise<string> {
  return join(await unpackedFromDebian("sid", "nats-server"), "usr", "sbin", "nats-server");
}
