import { HiveError } from "../base/errors.js";
import { textTable } from "../base/table.js";
import { utcSeconds } from "../base/utc.js";
import type { Snapshots } from "../stores/snapshots.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { age } from "./show-sessions.js";
import { contentsOf, type TeamContents } from "./show-snapshots.js";

export const teamsList: Command = {
  words: "teams list",
  about: "the saved fleets: when, and what is in them",
  examples: ["hivemind teams list"],
  hasJson: true,
  async run({ out, hive }, input) {
    const { stores } = await hive();
    const nowMs = Date.now();
    const snapshots = listSnapshots(stores.snapshots);
    if (input.flag("json")) {
      const values = snapshots.map(({ savedAtMs, ...rest }) => ({
        ...{ path: rest.path, savedAt: utcSeconds(savedAtMs) },
        ageSeconds: Math.max(0, Math.floor((nowMs - savedAtMs) / 1000)),
        ...{ isAutosave: rest.isAutosave, teams: rest.teams, badRows: rest.badRows, problem: rest.problem },
      }));
      out.json({ snapshots: values });
      return undefined;
    }
    if (snapshots.length === 0) {
      out.print("Nothing saved yet.");
      out.note("  hivemind teams save");
      return undefined;
    }
    out.print(shown(stores.snapshots.folder));
    const rows = snapshots.map((each) => [
      shown(each.name),
      age(each.savedAtMs, nowMs),
      each.isAutosave ? "auto" : "",
      each.problem === null ? teamsCell(each.teams ?? []) : shown(each.problem),
    ]);
    out.table(textTable([["SNAPSHOT", "AGE", "", "TEAMS (AGENTS)"], ...rows], ["left", "right"]));
    return undefined;
  },
};

export interface SnapshotSummary {
  path: string;
  name: string;
  savedAtMs: number;
  isForeign: boolean;
  /** Null, with a problem, where it could not be read. */
  teams: TeamContents[] | null;
  isAutosave: boolean | null;
  badRows: number | null;
  problem: string | null;
}

/** Newest first. One that cannot be read is in the list all the same. */
export function listSnapshots(snapshots: Snapshots): SnapshotSummary[] {
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

export function teamsCell(teams: readonly TeamContents[]): string {
  return shown(teams.map(({ team, agents }) => `${team} (${agents})`).join(", "));
}
