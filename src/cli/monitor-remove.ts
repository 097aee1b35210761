import { HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";

export const monitorRemove: Command = {
  words: "monitor remove",
  about: "take a team's window out of the viewer",
  args: [{ name: "team", about: "a team that has a window", meaning: "team" }],
  examples: ["hivemind monitor remove web4team"],
  notes: "The team itself goes on; its tmux session loses an onlooker.",
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const { viewerWorld } = await cli.hive();
    const { removeFromViewer } = await import("../viewer/viewer.js");
    if (!(await removeFromViewer(viewerWorld, team))) {
      throw new HiveError(`${team} has no window in the viewer`, { hint: "hivemind monitor list" });
    }
    cli.out.print(`removed ${team} from the viewer`);
    return undefined;
  },
};
