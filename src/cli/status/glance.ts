// `hivemind` alone: all teams at a glance, or how to start one.

import { shellWord } from "../../base/text/shell-word.js";
import { textTable } from "../../base/text/table.js";
import { parseUtc } from "../../base/text/utc.js";
import type { TeamView } from "../../fleet/view.js";
import type { Hive } from "../../hive/hive.js";
import { isTeamName, type TeamName } from "../../names/gates.js";
import type { SnapshotRead } from "../../stores/text/snapshot-text.js";
import { newestOfEach, readSnapshots } from "../../teams/snapshot/newest.js";
import type { Cli, Command } from "../command.js";
import { shown } from "../output.js";
import { contentsOf } from "../save/save.js";
import { age } from "../sessions/cells.js";
import { backgroundCount, glanceLines, needyLines } from "./show-teams.js";
import { watcherNote } from "./status.js";

export const glance: Command = {
  words: "",
  about: "the fleet at a glance",
  examples: ["hivemind"],
  hasJson: true,
  async run(cli, input) {
    const { out } = cli;
    const opened = await cli.hive();
    const { teams, background } = await opened.viewFleet();
    if (input.flag("json")) {
      out.json({ teams, background });
      return;
    }
    if (teams.some(({ running }) => running)) {
      out.table(glanceLines(teams, out.colours));
      out.lines(needyLines(teams, out.colours));
      if (background.length > 0) out.lines(["", backgroundCount(background)]);
      const waiting = await watcherNote(opened, teams);
      if (waiting !== null) out.lines(["", out.colours.yellow(waiting)]);
      if (out.isTerminal)
        out.lines(["", out.colours.dim(`answer, send and watch on one screen: ${cli.self} top`)]);
      return;
    }
    out.print("No tmux sessions running.");
    const { snapshots } = opened.stores;
    const said = (error: Error) => out.note(`hivemind: ${shown(error.message)}`);
    const saved = newestOfEach(readSnapshots(snapshots, said));
    if (teams.length === 0) out.print("No teams registered yet.");
    else {
      out.print(`Persisted teams from ${shown(opened.paths.teams)}:`);
      out.print();
      out.table(teamTable(teams, saved, Date.now()).map((line) => `  ${line}`));
    }
    const lines = await startLines(cli, teams, saved, opened);
    if (lines.length > 0) out.print();
    out.lines(lines);
    const waiting = await watcherNote(opened, teams);
    if (waiting !== null) out.lines(["", out.colours.yellow(waiting)]);
  },
};

type Newest = ReadonlyMap<TeamName, SnapshotRead>;

/** The columns about snapshots are there once a snapshot is. */
function teamTable(teams: readonly TeamView[], saved: Newest, nowMs: number): string[] {
  const heading = saved.size === 0 ? ["TEAM", "DESCRIPTION"] : ["TEAM", "DESCRIPTION", "AGENTS", "SAVED"];
  const rows = teams.map(({ team, description, agents }) => {
    const snapshot = saved.get(team as TeamName);
    const contents = contentsOf(snapshot?.rows ?? []).find((each) => each.team === team);
    const at = snapshot === undefined ? null : parseUtc(snapshot.savedAt);
    const savedCell = at === null ? (snapshot === undefined ? "never" : "–") : `${age(at, nowMs)} ago`;
    const cells = [shown(team), shown(description), String(contents?.agents ?? agents.length), savedCell];
    return cells.slice(0, heading.length);
  });
  return textTable([heading, heading.map((cell) => "-".repeat(cell.length)), ...rows]);
}

/** Commands to paste. */
async function startLines(
  { self, env }: Cli,
  teams: readonly TeamView[],
  saved: Newest,
  { stores }: Pick<Hive, "stores">,
): Promise<string[]> {
  const { fileOfTeam } = await import("../../up/written.js");
  const folders = new Map(
    teams.map(({ team }) => [team, isTeamName(team) ? fileOfTeam({ env, stores }, team) : null]),
  );
  const [written] = [...folders.values()].filter((folder) => folder !== null);
  const unwritten = [...folders.keys()].filter((team) => folders.get(team) === null);
  const [restartable] = [...saved.keys(), ...unwritten];
  const lines: [label: string, command: string][] = [];
  if (teams.length === 0) lines.push(["See it work:", "demo"]);
  if (saved.size > 0) lines.push(["Start with:", "restore"]);
  if (restartable !== undefined) lines.push(["Restart one:", `team restart ${restartable}`]);
  if (written !== undefined) lines.push(["Bring up:", `up --file ${shellWord(written)}`]);
  lines.push(["Pull remote:", "team pull HOST"]);
  if (teams.length === 0) {
    lines.push(["Make one:", "team setup myteam lead builder"]);
    lines.push(["Write one:", "init"]);
  }
  return lines.map(([label, command]) => `${label.padEnd(13)} ${self} ${command}`);
}
