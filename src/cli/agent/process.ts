import { exitCodes } from "../../base/errors.js";
import type { Command } from "../command.js";
import { farRead, takingHosts } from "../far/also-far.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";

export const agentProcess: Command = {
  words: "agent process",
  about: "print the process id of an agent",
  args: [takingHosts(nameArgument)],
  options: [teamOption],
  examples: ["hivemind agent process tester", "hivemind agent process web4team:0.1 --json"],
  notes: "If no agent runs in the pane: exit code 1, nothing on stdout.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, agentProcess, "name", "alone");
    if (typeof input === "number") return input;
    const { address, id, kind, process } = (await namedPane(cli, input)).pane;
    if (input.flag("json")) cli.out.json({ pane: address, paneId: id, kind, pid: process?.pid ?? null });
    else if (process !== null) cli.out.print(String(process.pid));
    else cli.out.note(`hivemind: no agent runs in ${address}`);
    return process === null ? exitCodes.refused : undefined;
  },
};
