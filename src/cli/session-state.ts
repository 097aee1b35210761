import type { Command } from "./command.js";
import { explainOption, lookFor, paneArgument } from "./session-discover.js";

export const sessionState: Command = {
  words: "session state",
  about: "the state of the session in a pane",
  args: [paneArgument()],
  options: [explainOption()],
  examples: ["hivemind session state web4team:0.1"],
  notes:
    "live: running, written to within two minutes. stable: running. stale: no agent runs, but a transcript is there.\n" +
    "broken: only the cache names a session, and it has no transcript. unknown: nothing tells, two panes could claim it,\n" +
    "or its transcript may lie where nobody could look.",
  hasJson: true,
  async run(cli, input) {
    const { pane, uuid, state } = await lookFor(cli, input);
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, uuid, state });
    else cli.out.print(state);
    return undefined;
  },
};
