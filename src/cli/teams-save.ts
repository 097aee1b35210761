// [TSV1] Rows follow what people moved and renamed in tmux before it is saved: a snapshot and rows of two names would come
//        back as two teams. Where somebody changes such a team meanwhile, it is saved all the same.

import { counted } from "../base/counted.js";
import { HiveError } from "../base/errors.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/role-of.js";
import type { Hive } from "../hive.js";
import { teamName } from "../names/gates.js";
import type { Snapshots } from "../stores/snapshots.js";
import type { Command } from "./command.js";
import { type Output, shown } from "./output.js";
import { contentsOf, countLine, type TeamContents } from "./show-snapshots.js";
import { listSnapshots } from "./teams-list.js";

export const teamsSave: Command = {
  words: "teams save",
  about: "write down the teams that run, so that they can come back",
  args: [{ name: "team", about: "only these teams", meaning: "team", isOptional: true, takesRest: true }],
  options: [{ name: "all", about: "every tmux session, also one without agents that is no team" }],
  examples: ["hivemind teams save", "hivemind teams save web4team ooshTeam"],
  notes:
    "Saves every pane: role, session, title, folder, model; and the layout of each team's windows.\n" +
    "Without a name: the registered teams, and every other tmux session that runs an agent.",
  hasJson: true,
  async run({ out, hive }, input) {
    const typed = input.arg("team")?.split(" ").map(teamName);
    const opened = await hive();
    const { saveFleet } = await import("../teams/save.js");
    const choice = { all: input.flag("all"), ...(typed === undefined ? {} : { teams: typed }) };
    const saved = await saveFleet(opened.stores, await fleetFollowed(opened, out), choice);
    const { path, layouts, rows } = saved;
    const teams = contentsOf(rows);
    const problems = [...saved.problems, ...emptied(teams, path, opened.stores.snapshots)];
    if (input.flag("json")) {
      out.json({ path, layouts, teams, problems });
      return undefined;
    }
    out.print(`saved ${teams.map(({ team }) => team).join(", ")}: ${countLine(teams)}`);
    out.print(`  ${shown(path)}`);
    for (const problem of problems) out.note(`warning: ${shown(problem)}`);
    const unnamed = rows.filter(({ role, kind }) => role === null && isAgent({ kind }));
    if (unnamed.length > 0) out.note(`${counted(unnamed.length, "agent")} without a role, saved by pane`);
    return undefined;
  },
};

async function fleetFollowed(hive: Hive, out: Output): Promise<Fleet> {
  const fleet = await hive.observe();
  if (fleet.shifts.moved.size === 0 && hive.newsIn(fleet).length === 0) return fleet;
  const { followed, teamsTouched } = await import("./placed.js");
  try {
    await followed(hive, fleet, [...new Set([...teamsTouched(fleet), ...hive.newsIn(fleet)])]);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    out.note(`warning: what moved is not followed yet: ${shown(error.message)}`);
  }
  return hive.observe();
}

/** A team is brought back from the newest snapshot that has it: one without agents hides those of the one before. */
function emptied(teams: readonly TeamContents[], path: string, snapshots: Snapshots): string[] {
  const empty = teams.filter(({ agents }) => agents === 0);
  if (empty.length === 0) return [];
  const before = listSnapshots(snapshots).filter((each) => each.path !== path);
  return empty.flatMap(({ team }) => {
    const had = before.find((each) => each.teams?.some((other) => other.team === team));
    const count = had?.teams?.find((other) => other.team === team)?.agents ?? 0;
    return count === 0
      ? []
      : [`${team} has no agent now; the snapshot before has ${counted(count, "agent")}: ${had!.name}`];
  });
}
