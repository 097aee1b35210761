import type { Command } from "../command.js";
import { teamMeant } from "../named-agent.js";
import { activityOptions } from "../status/show-teams.js";
import { showStatus, statusOf } from "../status/status.js";

export const teamStatus: Command = {
  words: "team status",
  about: "role, session and activity of a team's panes",
  args: [
    {
      name: "team",
      about: "default: the team you are in, or the active team",
      meaning: "team",
      isOptional: true,
      host: "taken",
    },
  ],
  options: activityOptions(),
  examples: ["hivemind team status", "hivemind team status web4team --json"],
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    if (input.arg("team") === undefined) await showStatus(cli, input, teamMeant(hive, await hive.panes()));
    else await statusOf(cli, input);
  },
};
