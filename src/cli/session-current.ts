import { HiveError } from "../base/errors.js";
import type { Command } from "./command.js";
import { explainOption, lookFor, paneArgument } from "./session-discover.js";

export const sessionCurrent: Command = {
  words: "session current",
  about: "the uuid of the session in a pane",
  args: [paneArgument()],
  options: [explainOption()],
  examples: ["hivemind session current web4team:0.1", "claude --resume $(hivemind session current %5)"],
  notes: "Not known: nothing on stdout but for --json, exit code 1.",
  hasJson: true,
  async run(cli, input) {
    const { pane, uuid, state } = await lookFor(cli, input);
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, uuid, state });
    else if (uuid !== null) cli.out.print(uuid);
    if (uuid !== null) return undefined;
    throw new HiveError(`no session is known in ${pane.address}`, {
      hint: `why: hivemind session discover ${pane.id} --explain`,
    });
  },
};
