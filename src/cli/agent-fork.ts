import { role, teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";
import { joiningTeam, sayWaiting } from "./spawning.js";

export const agentFork: Command = {
  words: "agent fork",
  about: "a second agent that knows what this one knows",
  args: [nameArgument],
  options: [
    {
      name: "as",
      about: "the new agent's role; else the old one with a number",
      value: "role",
      meaning: "role",
    },
    { name: "allow-broad-cwd", about: "also where it works in / or the home folder" },
    teamOption,
  ],
  examples: ["hivemind agent fork po", "hivemind agent fork po --as scout"],
  notes:
    "The agent itself goes on untouched. What it has not written down yet, an answer under way, is not in the fork.",
  async run(cli, input) {
    const as = input.option("as");
    const wanted = as === undefined ? {} : { role: role(as) };
    const hive = await cli.hive();
    const { rowAddress } = await import("../fleet/find-pane.js");
    const { forkAgent } = await import("../teams/fork.js");
    const named = agentNamed(hive, await hive.panes(), input);
    rowAddress(named, hive.tmux.server);
    await joiningTeam(cli, teamName(named.sessionName), async (world, team) => {
      const fleet = await world.observe();
      const pane = hive.paneNamed(fleet, named.id);
      const isBroadAllowed = input.flag("allow-broad-cwd");
      const forked = await forkAgent(world, { pane, fleet, team, isBroadAllowed, ...wanted });
      cli.out.print(`started ${forked.role} in ${forked.address}, session ${forked.uuid}`);
      cli.out.print(`a fork of ${pane.address}, session ${forked.parent}`);
      sayWaiting(cli, forked.role, forked.waitsFor);
      return forked;
    });
    return undefined;
  },
};
