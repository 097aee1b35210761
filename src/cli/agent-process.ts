import { exitCodes } from "../base/errors.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const agentProcess: Command = {
  words: "agent process",
  about: "the process of the agent in a pane, by its number",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind agent process tester", "hivemind agent process web4team:0.1 --json"],
  notes: "Exit 1, and nothing on stdout, where no agent runs in the pane.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const pane = agentNamed(hive, await hive.panes(), input);
    const { address, id, kind, process } = pane;
    if (input.flag("json")) cli.out.json({ pane: address, paneId: id, kind, pid: process?.pid ?? null });
    else if (process !== null) cli.out.print(String(process.pid));
    else cli.out.note(`hivemind: no agent runs in ${address}`);
    return process === null ? exitCodes.refused : undefined;
  },
};
