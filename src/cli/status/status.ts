import { counted } from "../../base/text/counted.js";
import { type TeamView, teamNamed } from "../../fleet/view.js";
import type { Hive } from "../../hive/hive.js";
import type { Cli, Command, Input } from "../command.js";
import { missingWatcher, undelivered } from "../delivery.js";
import { hereOrThere } from "../far/open-far.js";
import { boundaryOf, workspaceLines, workspaceOrNull } from "../workspace.js";
import { activityOptions, backgroundLines, explainLines, teamLines } from "./show-teams.js";

export const status: Command = {
  words: "status",
  also: ["ls"],
  about: "every team and agent: role, activity, session",
  args: [{ name: "team", about: "only this team", meaning: "team", isOptional: true, host: "taken" }],
  options: [
    ...activityOptions(),
    { name: "fleet", about: "the agents of every host of the fleet, as their hosts published them" },
  ],
  examples: [
    "hivemind status",
    "hivemind status web4team --explain",
    "hivemind status --json",
    "hivemind status --fleet",
    "hivemind status web4team@server",
  ],
  get notes() {
    return ["Shows the teams of all folders.", ...workspaceLines(workspaceOrNull())].join("\n");
  },
  hasJson: true,
  async run(cli, input) {
    if (input.flag("fleet"))
      return (await import("../fleet/status.js")).showFleet(cli, input, { team: input.arg("team") ?? null });
    await statusOf(cli, input);
  },
};

/** Of the team that is named, on this host or as another one published it. */
export function statusOf(cli: Cli, input: Input): Promise<void> {
  return hereOrThere<void>(cli, input, "team", {
    here: (own) => showStatus(cli, own, own.arg("team")),
    there: async ({ name, host }) =>
      (await import("../fleet/status.js")).showFleet(cli, input, { team: name, host }),
  });
}

export async function showStatus(cli: Cli, input: Input, name: string | undefined): Promise<void> {
  const isExplained = input.flag("explain");
  const hive = await cli.hive();
  const { teams: all, background } = await hive.viewFleet(
    isExplained || input.flag("screens") ? "all" : "open",
  );
  const teams = name === undefined ? all : [teamNamed(all, name)];
  const here = workspaceOrNull();
  if (input.flag("json")) {
    cli.out.json({ workspace: boundaryOf(here), teams, background });
    return;
  }
  if (teams.length === 0) cli.out.print("No tmux sessions running, no teams registered.");
  else cli.out.table(teamLines(teams, cli.out.colours));
  if (name === undefined && background.length > 0) {
    cli.out.print();
    cli.out.table(backgroundLines(background, cli.out.colours));
  }
  const waiting = await watcherNote(hive, teams);
  if (waiting !== null) cli.out.lines(["", cli.out.colours.yellow(waiting)]);
  cli.out.lines(isExplained ? explainLines(teams, cli.out.colours) : []);
  if (here !== null) {
    const note = cli.out.inWidth(workspaceLines(here).join("\n"));
    cli.out.lines(["", ...note.split("\n").map(cli.out.colours.dim)]);
  }
}

/** A line about a watcher that does not run: one that somebody wanted, or one that messages need. Null where all is well. */
export async function watcherNote(hive: Hive, teams: readonly TeamView[]): Promise<string | null> {
  const count = teams.flatMap(({ agents }) => agents).reduce((sum, { queued }) => sum + queued, 0);
  const isCold = !teams.some(({ running }) => running);
  const missing = count === 0 || isCold ? await missingWatcher(hive, isCold) : null;
  if (count === 0) return missing;
  const note = missing ?? (await undelivered(hive, isCold));
  return note === null ? null : `${counted(count, "message")} queued. ${note}`;
}
