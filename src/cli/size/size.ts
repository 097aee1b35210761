// The commands for the minimum size of a team's windows.

import { HiveError, UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { textTable } from "../../base/text/table.js";
import type { Hive } from "../../hive/hive.js";
import type { SizesApplied } from "../../layout/apply-sizes.js";
import type { Size } from "../../layout/sizes.js";
import { limits } from "../../limits.js";
import { type TeamName, teamName } from "../../names/gates.js";
import type { Command } from "../command.js";
import { type Output, shown } from "../output.js";

export const sizeCommands: readonly Command[] = [
  {
    words: "size lock",
    about: "set a minimum size for a team's windows",
    args: [
      { name: "team", about: "a registered team", meaning: "team" },
      {
        name: "size",
        about: `columns x rows (default: ${limits.floorWidth}x${limits.floorHeight})`,
        meaning: "text",
        isOptional: true,
      },
    ],
    examples: ["hivemind size lock web4team", "hivemind size lock web4team 200x50"],
    notes:
      "Windows only grow to this size, never shrink. An attached terminal still sets the size of the window it shows.",
    async run(cli, input) {
      const { floorWidth: width, floorHeight: height } = limits;
      const typed = input.arg("size");
      const size = typed === undefined ? { width, height } : sizeTyped(typed);
      const hive = await cli.hive();
      const team = registeredTeam(hive, input.need("team"));
      await hive.stores.sizeLocks.update((rows) => [
        ...rows.filter((row) => row.team !== team),
        { team, ...size },
      ]);
      cli.out.print(`${team}: at least ${sizeText(size)}`);
      const { applySizes } = await import("../../layout/apply-sizes.js");
      noteSizes(await applySizes(hive, team), cli.out);
      return undefined;
    },
  },
  {
    words: "size unlock",
    about: "remove the minimum size of a team's windows",
    args: [{ name: "team", about: "a team with a size lock", meaning: "team" }],
    examples: ["hivemind size unlock web4team"],
    async run(cli, input) {
      const team = teamName(input.need("team"));
      const { stores } = await cli.hive();
      const { changed } = await stores.sizeLocks.update((rows) => rows.filter((row) => row.team !== team));
      if (!changed) throw new HiveError(`${team} has no size lock`, { hint: "hivemind size status" });
      cli.out.print(`${team}: no size lock`);
      return undefined;
    },
  },
  {
    words: "size status",
    about: "each team's size lock, window sizes and clients",
    examples: ["hivemind size status"],
    hasJson: true,
    async run({ out, hive }, input) {
      const { tmux, stores } = await hive();
      const { lookAtSizes } = await import("../../layout/apply-sizes.js");
      const { counts, windowsIn } = await import("../../layout/sizes.js");
      const { listing, clients } = await lookAtSizes(tmux);
      const locks = new Map(stores.sizeLocks.read().rows.map((row) => [row.team, row]));
      const names = new Map(listing.sessions.map(({ id, name }) => [id, name]));
      const known = new Set([...stores.teams.read().rows.map(({ team }) => team), ...locks.keys()]);
      const teams = [...known].sort().map((team) => {
        const lock = locks.get(team);
        return {
          team,
          lock: lock === undefined ? null : { width: lock.width, height: lock.height },
          running: listing.sessions.some(({ name }) => name === team),
          windows: windowsIn(listing)
            .filter(({ shownBy }) => shownBy.includes(team))
            .map(({ id, width, height }) => ({ id, width, height })),
          clients: clients
            .filter(({ sessionId }) => names.get(sessionId) === team)
            .map((client) => {
              const { name, width, height, readOnly } = client;
              return { name, width, height, readOnly, counts: counts(client, clients) };
            }),
        };
      });
      const rows = teams.map(({ team, lock, running, windows, clients }) => {
        const sizes = running ? shown([...new Set(windows.map(sizeText))].join(", ")) : "not running";
        const counting = clients.filter((each) => each.counts);
        const sizedBy = counting.map((each) => `${shown(each.name)} ${sizeText(each)}`).join(", ");
        return [team, shown(lock && sizeText(lock)), sizes, shown(sizedBy)];
      });
      if (input.flag("json")) out.json({ teams });
      else if (teams.length === 0) out.print("No teams and no size locks.");
      else out.lines(textTable([["TEAM", "LOCK", "SIZES", "SIZED BY"], ...rows]));
      return undefined;
    },
  },
  {
    words: "size apply",
    about: "detach idle tiny clients, grow windows to the minimum",
    args: [{ name: "team", about: "default: every registered team", meaning: "team", isOptional: true }],
    examples: ["hivemind size apply", "hivemind size apply web4team"],
    notes:
      "Detaches only read-only clients: those in a terminal too small to read, or below the lock with no key pressed for\n" +
      "ten minutes. Windows of a team without a lock grow only if they have collapsed. `watch` does the same.",
    async run(cli, input) {
      const hive = await cli.hive();
      const typed = input.arg("team");
      const { applySizes } = await import("../../layout/apply-sizes.js");
      const done = await applySizes(hive, typed === undefined ? undefined : registeredTeam(hive, typed));
      noteSizes(done, cli.out);
      if (done.detached.length + done.grown.length + done.stuck.length === 0) cli.out.print("nothing to do");
      return done.stuck.length > 0 ? 1 : undefined;
    },
  },
];

/** Size locks exist only for registered teams. */
export function registeredTeam({ stores }: Hive, typed: string): TeamName {
  const team = teamName(typed);
  const known = stores.teams.read().rows.map((row) => row.team);
  if (known.includes(team)) return team;
  const those = known.length === 0 ? "" : `there are: ${known.join(", ")}; to register it: `;
  throw new HiveError(`there is no registered team "${team}"`, {
    hint: `${those}hivemind team register ${team}`,
  });
}

function sizeText({ width, height }: Size): string {
  return `${width}×${height}`;
}

/** Accepts x and ×. */
function sizeTyped(typed: string): Size {
  const [, width, height] = /^([1-9]\d{0,3})[x×]([1-9]\d{0,3})$/.exec(typed)?.map(Number) ?? [];
  if (width !== undefined && Math.max(width, height!) <= limits.layoutSide) return { width, height: height! };
  throw new UsageError(
    `"${harmless(typed)}" is not a size: columns x rows, each from 1 to ${limits.layoutSide}`,
    {
      hint: "hivemind size lock web4team 120x40",
    },
  );
}

export function noteSizes({ detached, grown, stuck }: SizesApplied, out: Output): void {
  for (const client of detached) out.print(`detached ${shown(client.name)}, read-only, ${sizeText(client)}`);
  for (const { window, to } of grown)
    out.print(
      `${window.shownBy.map(shown).join(", ")}: ${window.id} from ${sizeText(window)} to ${sizeText(to)}`,
    );
  for (const { window, to } of stuck) {
    out.note(
      `hivemind: ${window.shownBy.map(shown).join(", ")}: ${window.id} does not stay at ${sizeText(to)}`,
    );
    out.note("  see which client holds it: hivemind size status");
  }
}
