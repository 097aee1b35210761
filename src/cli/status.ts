import { HiveError } from "../base/errors.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { teamLines } from "./show-teams.js";

export const status: Command = {
  words: "status",
  about: "every team and pane: role, session, activity",
  args: [{ name: "team", about: "only this team", meaning: "team", isOptional: true }],
  examples: ["hivemind status", "hivemind status web4team", "hivemind status --json"],
  hasJson: true,
  async run(cli, input) {
    const all = await (await cli.hive()).viewTeams();
    const name = input.arg("team");
    const teams = name === undefined ? all : all.filter(({ team }) => team === name);
    if (name !== undefined && teams.length === 0) {
      const known = all.map(({ team }) => shown(team)).join(", ");
      throw new HiveError(`there is no team "${name}"`, {
        hint: known ? `there are: ${known}` : "hivemind team list",
      });
    }
    if (input.flag("json")) cli.out.json({ teams });
    else if (teams.length === 0) cli.out.print("No tmux sessions running, no teams registered.");
    else for (const line of teamLines(teams, cli.out.colours)) cli.out.print(line);
    return undefined;
  },
};
