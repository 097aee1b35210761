import type { Command } from "../command.js";
import { teamMeant } from "../named-agent.js";
import { activityOptions } from "../status/show-teams.js";
import { showStatus } from "../status/status.js";

export const teamStatus: Command = {
  words: "team status",
  about: "role, session and activity of a team's panes",
  args: [
    {
      name: "team",
      about: "default: the team you are in, or the active team",
      meaning: "team",
      isOptional: true,
    },
  ],
  options: activityOptions(),
  examples: ["hivemind team status", "hivemind team status web4team --json"],
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const named = input.arg("team") ?? teamMeant(hive, await hive.panes());
    await showStatus(cli, input, named);
  },
};
