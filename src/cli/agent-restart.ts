import { exitCodes } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { agentNamed, isSure, nameArgument, refuseOwn, teamOption } from "./named-agent.js";
import { startedLines } from "./show-restore.js";
import { startingIn } from "./spawning.js";

export const agentRestart: Command = {
  words: "agent restart",
  about: "the same conversation again in its pane",
  args: [nameArgument],
  options: [teamOption, { name: "yes", short: "y", about: "end it without asking, if it runs" }],
  examples: ["hivemind agent restart builder", "hivemind agent restart web4team:0.1 --yes"],
  async run(cli, input) {
    const hive = await cli.hive();
    const panes = await hive.panes();
    const found = agentNamed(hive, panes, input);
    const { id, address } = found;
    const team = teamName(found.sessionName);
    refuseOwn(hive, panes, found);
    const asked = {
      question: `End the agent in ${address} and start it again?`,
      would: `end the agent in ${address}`,
      command: `agent restart ${address}`,
    };
    if (found.process !== null && !(await isSure(input, asked))) return exitCodes.refused;
    const { restartAgent } = await import("../teams/respawn.js");
    await startingIn(cli, team, async (world) => {
      const started = await restartAgent(world, id);
      for (const line of startedLines([started], cli.out.colours)) cli.out.print(line);
      return [{ pane: id, address: started.pane }];
    });
    return undefined;
  },
};
