import type { Command } from "./command.js";
import { addressed } from "./queue-list.js";

export const queueClear: Command = {
  words: "queue clear",
  about: "take everything out of a pane's queue",
  args: [{ name: "pane", about: "team:window.pane, tmux's %id, or a role", meaning: "pane" }],
  examples: ["hivemind queue clear web4team:0.1"],
  notes: "The messages are kept in the queues' dead/ folder.",
  async run(cli, input) {
    const hive = await cli.hive();
    const pane = await addressed(hive, input.need("pane"));
    const cleared = await hive.stores.queues.clear(pane);
    cli.out.print(`cleared ${cleared.length} ${cleared.length === 1 ? "message" : "messages"} of ${pane}`);
    return undefined;
  },
};
