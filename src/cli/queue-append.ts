import { HiveError, UsageError } from "../base/errors.js";
import { isIntent } from "../stores/queue-rows.js";
import type { Command } from "./command.js";
import { placedIn } from "./placed.js";

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
    "hivemind queue append tester --intent remote-control:BTab switch to plan mode",
  ],
  notes:
    "It is said by `hivemind queue drain` or `hivemind watch`, when the agent is idle. remote-control:KEY presses that one\n" +
    "key instead (not Enter, Escape or anything that writes); the text says what for.",
  async run(cli, input) {
    const { keyOf, keyRefusal } = await import("../messages/press-key.js");
    const { enqueue } = await import("../messages/send.js");
    const { textRefusal } = await import("../messages/text.js");
    const { positionIn, waitingHere } = await import("../messages/waiting-here.js");
    const { commandRefusal, withSender } = await import("../messages/sender.js");
    const { senderOf, textOf } = await import("./sending.js");
    const intent = input.option("intent") ?? "inform";
    if (!isIntent(intent))
      throw new UsageError(`"${intent}" is no intent`, { hint: "inform, or remote-control:KEY" });
    const key = keyOf(intent);
    const unfitKey = key === null ? null : keyRefusal(key);
    if (unfitKey !== null) throw new HiveError(`refused: ${unfitKey}`, { hint: "remote-control:BTab" });
    const typed = input.need("text");
    const hive = await cli.hive();
    const seen = await hive.panes();
    const named = hive.paneNamed(seen, input.need("pane"));
    const pane = await placedIn(hive, seen, named);
    const sender = await senderOf(hive, seen);
    if (key !== null && sender !== null && !sender.mayCommand)
      throw commandRefusal(sender, "a key is a command");
    const text = key === null ? withSender(await textOf(typed), sender) : await textOf(typed);
    const unfit = key === null ? textRefusal(text) : null;
    if (unfit !== null) throw new HiveError(`refused: ${unfit}`);
    const id = await enqueue(hive, seen, { id: named.id, address: pane }, intent, text);
    const position = positionIn(waitingHere(hive.stores, seen, pane), id);
    cli.out.print(`queued for ${pane}${position === null ? "" : ` at position ${position}`} (${id})`);
    return undefined;
  },
};
