import { HiveError } from "../base/errors.js";
import type { Command } from "./command.js";
import { boundaryOf, hereLines, workspaceOrNull } from "./here.js";
import { shown } from "./output.js";
import { activityOptions, explainLines } from "./show-activity.js";
import { backgroundLines } from "./show-background.js";
import { teamLines } from "./show-teams.js";

export const status: Command = {
  words: "status",
  about: "every team and pane: role, session, activity",
  args: [{ name: "team", about: "only this team", meaning: "team", isOptional: true }],
  options: activityOptions(),
  examples: ["hivemind status", "hivemind status web4team --explain", "hivemind status --json"],
  get notes() {
    return ["Teams are shown whatever folders they work in.", ...hereLines(workspaceOrNull())].join("\n");
  },
  hasJson: true,
  async run(cli, input) {
    const isExplained = input.flag("explain");
    const hive = await cli.hive();
    const { teams: all, background } = await hive.viewFleet(
      isExplained || input.flag("screens") ? "all" : "open",
    );
    const name = input.arg("team");
    const teams = name === undefined ? all : all.filter(({ team }) => team === name);
    if (name !== undefined && teams.length === 0) {
      const known = all.map(({ team }) => shown(team)).join(", ");
      throw new HiveError(`there is no team "${name}"`, {
        hint: known ? `there are: ${known}` : "hivemind team list",
      });
    }
    const here = workspaceOrNull();
    if (input.flag("json")) {
      cli.out.json({ workspace: boundaryOf(here), teams, background });
      return undefined;
    }
    if (teams.length === 0) cli.out.print("No tmux sessions running, no teams registered.");
    else cli.out.table(teamLines(teams, cli.out.colours));
    if (name === undefined && background.length > 0) {
      cli.out.print();
      cli.out.table(backgroundLines(background, cli.out.colours));
    }
    cli.out.lines(isExplained ? explainLines(teams, cli.out.colours) : []);
    if (here !== null) {
      const note = cli.out.inWidth(hereLines(here).join("\n"));
      cli.out.lines(["", ...note.split("\n").map(cli.out.colours.dim)]);
    }
    return undefined;
  },
};
