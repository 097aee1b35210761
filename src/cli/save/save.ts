// Writes, lists and prunes snapshots of the fleet.
//
// Before a save the roster is brought up to date with moves and renames made in tmux. If that fails, a warning is
// printed and the fleet is saved anyway.

import { HiveError, UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { textTable } from "../../base/text/table.js";
import { utcSeconds } from "../../base/text/utc.js";
import type { Fleet } from "../../fleet/observe.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import type { Hive } from "../../hive/hive.js";
import { type TeamName, teamName } from "../../names/gates.js";
import type { Snapshots } from "../../stores/snapshots.js";
import { type StoredRow, withLikelyKind } from "../../stores/text/snapshot-text.js";
import { prunable } from "../../teams/snapshot/prune.js";
import { confirmOrRefuse } from "../ask.js";
import { type Command, given } from "../command.js";
import { type Output, shown } from "../output.js";
import { age } from "../sessions/cells.js";

export const save: Command = {
  words: "save",
  also: ["teams save"],
  about: "save the running teams, so they can be restored",
  args: [{ name: "team", about: "only these teams", meaning: "team", isOptional: true, takesRest: true }],
  options: [{ name: "all", about: "every tmux session, even without agents or team" }],
  examples: ["hivemind save", "hivemind save web4team ooshTeam"],
  notes:
    "Saves the role, session, title, folder and model of every pane, and the layout of each team's windows.\n" +
    "Default: the registered teams, and every other tmux session that runs an agent.",
  hasJson: true,
  async run({ out, hive }, input) {
    const typed = input.arg("team")?.split(" ").map(teamName);
    const opened = await hive();
    const { saveFleet } = await import("../../teams/snapshot/save.js");
    const choice = { all: input.flag("all"), ...given({ teams: typed }) };
    const saved = await saveFleet(opened.stores, await fleetSettled(opened, out), choice);
    const { path, layouts, rows } = saved;
    const teams = contentsOf(rows);
    const problems = [...saved.problems, ...emptied(teams, path, opened.stores.snapshots)];
    if (input.flag("json")) {
      out.json({ path, layouts, teams, problems });
      return;
    }
    out.print(`saved ${teams.map(({ team }) => team).join(", ")}: ${countLine(teams)}`);
    out.print(`  ${shown(path)}`);
    for (const problem of problems) out.note(`warning: ${shown(problem)}`);
    const unnamed = rows.filter(({ role, kind }) => role === null && isAgent({ kind }));
    if (unnamed.length > 0) out.note(`${counted(unnamed.length, "agent")} without a role, saved by pane`);
  },
};

async function fleetSettled(hive: Hive, out: Output): Promise<Fleet> {
  const { unwritten } = await import("../../watch/behind.js");
  const fleet = await hive.observe();
  try {
    const now = (await hive.writeNews(fleet)) ? await hive.observe() : fleet;
    if (unwritten(now, [], hive.stores, Date.now()).length === 0) return now;
    await hive.change(undefined, now);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    out.note(`warning: could not update the roster: ${shown(error.message)}`);
  }
  return hive.observe();
}

/** `restore` uses the newest snapshot of a team, so one without agents would hide the agents of the one before. */
function emptied(teams: readonly TeamContents[], path: string, snapshots: Snapshots): string[] {
  const empty = teams.filter(({ agents }) => agents === 0);
  if (empty.length === 0) return [];
  const before = listSnapshots(snapshots).filter((each) => each.path !== path);
  return empty.flatMap(({ team }) => {
    const had = before.find((each) => each.teams?.some((other) => other.team === team));
    const count = had?.teams?.find((other) => other.team === team)?.agents ?? 0;
    return count === 0
      ? []
      : [`${team} has no agents now; the previous snapshot has ${counted(count, "agent")}: ${had!.name}`];
  });
}

export const snapshots: Command = {
  words: "snapshots",
  also: ["teams list"],
  about: "list the saved snapshots and their teams",
  examples: ["hivemind snapshots"],
  hasJson: true,
  async run({ out, hive }, input) {
    const { stores } = await hive();
    const nowMs = Date.now();
    const saved = listSnapshots(stores.snapshots);
    if (input.flag("json")) {
      const values = saved.map(({ savedAtMs, ...rest }) => ({
        ...{ path: rest.path, savedAt: utcSeconds(savedAtMs) },
        ageSeconds: Math.max(0, Math.floor((nowMs - savedAtMs) / 1000)),
        ...{ isAutosave: rest.isAutosave, teams: rest.teams, badRows: rest.badRows, problem: rest.problem },
      }));
      out.json({ snapshots: values });
      return;
    }
    if (saved.length === 0) {
      out.print("No snapshots saved yet.");
      out.note("  hivemind save");
      return;
    }
    out.print(shown(stores.snapshots.folder));
    const rows = saved.map((each) => [
      shown(each.name),
      age(each.savedAtMs, nowMs),
      each.isAutosave ? "auto" : "",
      shown(each.problem ?? each.teams?.map(({ team, agents }) => `${team} (${agents})`).join(", ")),
    ]);
    out.table(textTable([["SNAPSHOT", "AGE", "", "TEAMS (AGENTS)"], ...rows], ["left", "right"]));
  },
};

/** Newest first. An unreadable snapshot is listed with its problem. */
function listSnapshots(snapshots: Snapshots) {
  return snapshots.list().map((file) => {
    try {
      const { rows, isAutosave, problems } = snapshots.read(file.path);
      return { ...file, teams: contentsOf(rows), isAutosave, badRows: problems.length, problem: null };
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      return { ...file, teams: null, isAutosave: null, badRows: null, problem: error.message };
    }
  });
}

export const snapshotsPrune: Command = {
  words: "snapshots prune",
  also: ["teams prune"],
  about: "remove old snapshots",
  options: [{ name: "keep", value: "n", about: "how many of the newest to keep (needed)" }],
  asks: "removes snapshots",
  examples: ["hivemind snapshots prune --keep 20", "hivemind snapshots prune --keep 20 --yes"],
  notes:
    "Always keeps the newest snapshot of each team, unreadable snapshots, and files with a name of your own.",
  async run({ out, hive }, input) {
    const typed = input.option("keep");
    if (typed === undefined || !/^[1-9]\d{0,5}$/.test(typed)) {
      throw new UsageError("snapshots prune needs --keep N, with N at least 1", {
        hint: "hivemind snapshots prune --keep 20",
      });
    }
    const { stores } = await hive();
    const all = listSnapshots(stores.snapshots);
    const known = all.map((file) => ({ file, teams: file.teams?.map(({ team }) => team) ?? null }));
    const old = prunable(known, Number(typed)).map(({ file }) => file);
    const gone = old.filter(({ isForeign }) => !isForeign);
    if (gone.length === 0) {
      out.print(`nothing to remove: ${counted(all.length, "snapshot")}`);
      return;
    }
    if (!input.flag("yes")) for (const { name } of gone) out.note(`  ${shown(name)}`);
    const would = [`remove ${counted(gone.length, "snapshot")} and keep ${all.length - gone.length}`];
    await confirmOrRefuse(input, { would, command: `snapshots prune --keep ${typed}` });
    await stores.snapshots.prune(gone);
    out.print(`removed ${counted(gone.length, "snapshot")}, kept ${all.length - gone.length}`);
  },
};

interface TeamContents {
  team: TeamName;
  agents: number;
  shells: number;
}

/** In the order of their first rows. */
export function contentsOf(rows: readonly StoredRow[]): TeamContents[] {
  const teams = new Map<TeamName, TeamContents>();
  for (const { team, kind } of rows.map(withLikelyKind)) {
    const found = teams.get(team) ?? { team, agents: 0, shells: 0 };
    if (kind === "shell" || kind === "monitor") found.shells++;
    else found.agents++;
    teams.set(team, found);
  }
  return [...teams.values()];
}

/** `10 agents, 5 shells` */
function countLine(teams: readonly TeamContents[]): string {
  const sum = (of: "agents" | "shells") => teams.reduce((total, team) => total + team[of], 0);
  return `${counted(sum("agents"), "agent")}, ${counted(sum("shells"), "shell")}`;
}
