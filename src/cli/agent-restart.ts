import { role, teamName } from "../names/gates.js";
import { type Command, yesOption } from "./command.js";
import { fromBoxOptions, refuseBoxOptions, startFromBox } from "./from-box.js";
import { agentNamed, nameArgument, refuseOwn, teamOption } from "./named-agent.js";
import { startedLines } from "./show-restore.js";
import { startingIn } from "./spawning.js";

export const agentRestart: Command = {
  words: "agent restart",
  about: "the same conversation again in its pane",
  args: [nameArgument],
  options: [
    teamOption,
    yesOption("as for other commands; nobody is asked about an agent that was named"),
    {
      name: "from-dir",
      value: "folder",
      about: "the agent of this name in a folder of another host",
      meaning: "path",
    },
    ...fromBoxOptions,
  ],
  examples: [
    "hivemind agent restart builder",
    "hivemind agent restart web4team:0.1 --yes",
    "hivemind agent restart --from-dir ~/config/hivemind.pulled/beta builder",
  ],
  async run(cli, input) {
    const folder = input.option("from-dir");
    if (folder !== undefined) return startFromBox(cli, input, folder, role(input.need("name")));
    refuseBoxOptions(input, fromBoxOptions, "hivemind agent restart --from-dir FOLDER NAME");
    const hive = await cli.hive();
    const panes = await hive.panes();
    const found = agentNamed(hive, panes, input);
    const { id } = found;
    const team = teamName(found.sessionName);
    refuseOwn(hive, panes, found);
    const { restartAgent } = await import("../teams/respawn.js");
    await startingIn(cli, team, async (world) => {
      const started = await restartAgent(world, id);
      cli.out.lines(startedLines([started], cli.out.colours));
      return [{ pane: id, address: started.pane }];
    });
    return undefined;
  },
};
