import { text as readStream } from "node:stream/consumers";
import { UsageError } from "../base/errors.js";
import { rowAddress } from "../fleet/find-pane.js";
import { isIntent } from "../stores/queue-rows.js";
import type { Command } from "./command.js";

export const queueAppend: Command = {
  words: "queue append",
  about: "put a message into a pane's queue",
  args: [
    { name: "pane", about: "team:window.pane, tmux's %id, or a role", meaning: "pane" },
    { name: "text", about: "the message; - reads it from stdin", meaning: "text", takesRest: true },
  ],
  options: [{ name: "intent", value: "intent", about: "inform (without it), or remote-control:KEY" }],
  examples: [
    "hivemind queue append web4team:0.1 run the tests",
    "git diff | hivemind queue append web4team:0.1 -",
  ],
  async run(cli, input) {
    const intent = input.option("intent") ?? "inform";
    if (!isIntent(intent))
      throw new UsageError(`"${intent}" is no intent`, { hint: "inform, or remote-control:KEY" });
    const typed = input.need("text");
    const hive = await cli.hive();
    const pane = rowAddress(hive.paneNamed(await hive.panes(), input.need("pane")));
    const text = typed === "-" ? (await readStream(process.stdin)).replace(/\n$/, "") : typed;
    const { message, position } = await hive.stores.queues.append(pane, intent, text);
    cli.out.print(`queued for ${pane} at position ${position} (${message.id})`);
    return undefined;
  },
};
