// A hivemind on another host that takes teams: over ssh, or through the server of a fleet.

import type { Host } from "../names/gates.js";
import type { Bundle } from "./pack.js";
import { counted, type OnBytes } from "./pull.js";
import { type Far, refuseWithoutTmux } from "./wire/far.js";
import type { Message } from "./wire/wire.js";

export interface Target {
  host: Host;
  /** The questions of `arrival/answers.ts`, except `receive`. A refusal of that host is thrown, with its name. */
  ask(request: Message): Promise<Message>;
  /** Sends the files that the other host lacks. */
  push(bundle: Pick<Bundle, "page" | "bytesOf">, onBytes: OnBytes): Promise<void>;
  /** Shows what runs there: a command to type. */
  lookThere: string;
}

export function overSsh(far: Far): Target {
  refuseWithoutTmux(far.host, far.greeting);
  return {
    host: far.host,
    ask: (request) => far.ask(request),
    async push({ page, bytesOf }, onBytes) {
      await far.ask({ ask: "receive", page }, async ({ is, paths }, wire) => {
        if (is !== "wanting") return;
        const wanted = new Set(Array.isArray(paths) ? paths.map(String) : []);
        const files = page.files.filter(({ path }) => wanted.has(path));
        const tally = counted(files, onBytes);
        for (const { path } of files) await wire.sendBytes(tally(bytesOf(path)));
      });
    },
    lookThere: `ssh ${far.host} hivemind status`,
  };
}
