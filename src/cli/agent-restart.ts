import { exitCodes, HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { startedLines } from "./show-restore.js";
import { refreshed } from "./spawning.js";

export const agentRestart: Command = {
  words: "agent restart",
  about: "the same conversation again in its pane",
  args: [{ name: "name", about: "a role or a pane", meaning: "role" }],
  options: [
    { name: "team", value: "team", about: "where several teams have that role", meaning: "team" },
    { name: "yes", short: "y", about: "end it without asking, if it runs" },
  ],
  examples: ["hivemind agent restart builder", "hivemind agent restart web4team:0.1 --yes"],
  async run(cli, input) {
    const typed = input.option("team");
    const hive = await cli.hive();
    const panes = await hive.panes();
    const found = hive.paneNamed(
      panes,
      input.need("name"),
      typed === undefined ? undefined : teamName(typed),
    );
    const team = teamName(found.sessionName);
    if (hive.ownPane(panes)?.id === found.id)
      throw new HiveError(`${found.address} is the pane this runs in`, { hint: "do it from another pane" });
    if (found.process !== null && !input.flag("yes")) {
      const { confirmed } = await import("./ask.js");
      const answer = await confirmed(`End the agent in ${found.address} and start it again?`);
      if (answer === null)
        throw new HiveError(`this would end the agent in ${found.address}`, {
          hint: `hivemind agent restart ${found.address} --yes`,
        });
      if (!answer) return exitCodes.refused;
    }
    const { restartAgent } = await import("../teams/respawn.js");
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    return hive.whileChanging(team, async () => {
      const started = await restartAgent(world, found.id);
      await refreshed(cli, world, team);
      for (const line of startedLines([started], cli.out.colours)) cli.out.print(line);
      return undefined;
    });
  },
};
