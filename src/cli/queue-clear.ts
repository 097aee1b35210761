import type { Command } from "./command.js";
import { placedOrGone } from "./placed.js";

export const queueClear: Command = {
  words: "queue clear",
  about: "take everything out of a pane's queue",
  args: [{ name: "pane", about: "team:window.pane, tmux's %id, or a role", meaning: "pane" }],
  examples: ["hivemind queue clear web4team:0.1"],
  notes:
    "The messages are kept in the queues' dead/ folder. What was uncertain for this pane is off the list too.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { lastSteps, receipt } = await import("../stores/receipts.js");
    const { uncertainIn } = await import("./queue-list.js");
    const pane = await placedOrGone(hive, input.need("pane"));
    const { queues, receipts } = hive.stores;
    const cleared = await queues.clear(pane);
    const uncertain = uncertainIn(lastSteps(receipts.read().rows).values(), Date.now());
    const noted = [...cleared, ...uncertain.filter((each) => each.pane === pane)];
    await receipts.append(noted.map(({ id }) => receipt(id, "cleared", "by hand")));
    cli.out.print(`cleared ${cleared.length} ${cleared.length === 1 ? "message" : "messages"} of ${pane}`);
    return undefined;
  },
};
