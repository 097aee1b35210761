// What the viewer's commands have in common: which teams are meant, and what was done to their windows.

import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import type { Hive } from "../hive.js";
import { type TeamName, teamName } from "../names/gates.js";
import type { WindowsDone } from "../viewer/windows.js";
import { type Output, shown } from "./output.js";
import { noteSizes } from "./size-said.js";

/** A team that is registered: S8 never has another. */
export function registeredTeam({ stores }: Hive, typed: string): TeamName {
  const team = teamName(typed);
  const known = stores.teams.read().rows.map((row) => row.team);
  if (known.includes(team)) return team;
  const those = known.length === 0 ? "" : `there are: ${known.join(", ")}; another one: `;
  throw new HiveError(`there is no registered team "${team}"`, {
    hint: `${those}hivemind team register ${team}`,
  });
}

/** Says what was done, then clears the clients that would shrink teams and applies the locks. */
export async function sayWindows(hive: Hive, done: WindowsDone, out: Output): Promise<ExitCode | undefined> {
  for (const team of done.opened) out.print(`${team}: window ${windowOf(hive, team)}`);
  if (done.ended > 0) out.print(`ended ${done.ended} ${done.ended === 1 ? "window" : "windows"}`);
  for (const { team, shows } of done.failed)
    out.note(`hivemind: ${team}: its window shows ${shown(shows ?? "nothing")}`);
  const { applySizes } = await import("../layout/apply-sizes.js");
  noteSizes(await applySizes(hive), out);
  if (done.failed.length === 0) return undefined;
  out.note("  see what differs: hivemind monitor verify");
  return exitCodes.refused;
}

function windowOf({ stores }: Hive, team: TeamName): number | string {
  return stores.viewerWindows.read().rows.find((row) => row.team === team)?.window ?? "–";
}
