import { describe, expect, test } from "vitest";
import { utcSeconds } from "../base/utc.js";
import type { HiveEvent } from "../events/event.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { LoggedEvent } from "../stores/event-log.js";
import type { ForkRow } from "../stores/forks.js";
import { placesAt, type Stay, sessionAt, staysAt, staysWith } from "./history.js";
import { livesOf } from "./history-lives.js";

const id = (text: string) => `${text.padStart(8, "0")}-0000-4000-8000-000000000000` as SessionId;
const [a, b, c] = [id("a"), id("b"), id("c")];
const team = "web" as TeamName;
const dev = "dev" as Role;
const start = Date.parse("2026-04-22T08:00:00Z");
const at = (second: number) => start + second * 1000;
const said = (second: number, event: HiveEvent): LoggedEvent => ({ at: utcSeconds(at(second)), event });
const row = (second: number, pane: PaneAddress, uuid: SessionId | null, state = "live"): ForkRow => ({
  at: utcSeconds(at(second)),
  pane,
  role: dev,
  uuid,
  state: state as ForkRow["state"],
  parent: null,
});
const spawned = (second: number, pane: PaneAddress, uuid: SessionId | null) =>
  said(second, { name: "agent.spawned", pane, role: dev, uuid });
const changed = (second: number, pane: PaneAddress, old: SessionId, to: SessionId) =>
  said(second, { name: "session.changed", pane, old, new: to, cause: "clear" });
const killed = (second: number, pane: PaneAddress) => said(second, { name: "agent.killed", pane });
const dropped = (second: number, pane: PaneAddress, uuid: SessionId) =>
  said(second, { name: "session.dropped", pane, uuid, state: "stale" });
const moved = (second: number, from: PaneAddress, to: PaneAddress) =>
  said(second, { name: "pane.moved", from, to });

/** `a 0-10 web:0.0 | b 20-20 ?`, in seconds; `?` where no place is known. */
function short(stays: readonly Stay[]): string {
  const seconds = (ms: number) => (ms - start) / 1000;
  return stays
    .map(({ session, fromMs, toMs, places }) => {
      const where = places.map(({ address }) => address).join(">") || "?";
      return `${session.slice(7, 8)} ${seconds(fromMs)}-${seconds(toMs)} ${where}`;
    })
    .join(" | ");
}

const answer = (stays: readonly Stay[], second: number) => {
  const found = sessionAt(stays, at(second));
  return "known" in found ? found.known.session : found.unknown;
};

describe("the life of a pane", () => {
  test.each<[string, LoggedEvent[], ForkRow[], PaneAddress, string]>([
    [
      "[HY1] follows it through a swap",
      [
        spawned(0, "web:0.0", a),
        spawned(0, "web:0.1", b),
        said(10, { name: "panes.swapped", team, a: "web:0.0", b: "web:0.1" }),
      ],
      [row(5, "web:0.0", a), row(20, "web:0.1", a), row(20, "web:0.0", b)],
      "web:0.1",
      "a 0-20 web:0.0>web:0.1",
    ],
    [
      "[HY1] follows it through a renamed team and a ring of panes",
      [
        spawned(0, "web:0.0", a),
        said(10, { name: "team.renamed", old: team, new: "net" as TeamName }),
        said(20, {
          name: "panes.shifted",
          team: "net" as TeamName,
          moves: [
            { from: "net:0.0", to: "net:0.1" },
            { from: "net:0.1", to: "net:0.0" },
          ],
        }),
      ],
      [row(30, "net:0.1", a)],
      "net:0.1",
      "a 0-30 web:0.0>net:0.0>net:0.1",
    ],
    [
      "[HY2] ends with its agent, and what starts there is another",
      [spawned(0, "web:0.0", a), killed(10, "web:0.0"), spawned(20, "web:0.0", b)],
      [row(5, "web:0.0", a), row(25, "web:0.0", b)],
      "web:0.0",
      "a 0-5 web:0.0 | b 20-25 web:0.0",
    ],
    [
      "[HY2] ends with its agent, also if the same session is seen there again",
      [spawned(0, "web:0.0", a), killed(10, "web:0.0")],
      [row(20, "web:0.0", a)],
      "web:0.0",
      "a 0-0 web:0.0 | a 20-20 web:0.0",
    ],
    [
      "[HY2] ends when another pane comes to stand in its place",
      [spawned(0, "web:0.0", a), spawned(0, "web:0.1", b), moved(10, "web:0.1", "web:0.0")],
      [row(20, "web:0.0", b)],
      "web:0.0",
      "a 0-0 web:0.0 | b 0-20 web:0.1>web:0.0",
    ],
    [
      "[HY2] is parted by a start, also of the same session: the server had gone in between",
      [spawned(0, "web:0.0", a), spawned(100, "web:0.0", a)],
      [row(10, "web:0.0", a), row(110, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0 | a 100-110 web:0.0",
    ],
    [
      "[HY2] is parted by a start of a session that nobody knew",
      [spawned(0, "web:0.0", a), spawned(100, "web:0.0", null)],
      [row(10, "web:0.0", a), row(110, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0 | a 110-110 web:0.0",
    ],
    [
      "[HY3] takes no row of the second in which the place changed hands",
      [spawned(0, "web:0.0", a), moved(10, "web:0.0", "web:0.1"), spawned(10, "web:0.0", c)],
      [row(10, "web:0.0", b), row(10, "web:0.1", b), row(20, "web:0.0", c)],
      "web:0.0",
      "c 10-20 web:0.0",
    ],
    [
      "[HY3] takes none either that can be of the pane which stood there before",
      [spawned(0, "web:0.0", a), moved(10, "web:0.0", "web:0.1")],
      [row(10, "web:0.1", b)],
      "web:0.1",
      "a 0-0 web:0.0",
    ],
    [
      "[HY3] takes one that says the same as the log",
      [spawned(0, "web:0.0", a), changed(10, "web:0.0", a, b)],
      [row(10, "web:0.0", b), row(10, "web:0.0", a)],
      "web:0.0",
      "a 0-0 web:0.0 | b 10-10 web:0.0",
    ],
    [
      "[HY4] does not reach back behind the beginning of the log through a move",
      [moved(100, "web:0.0", "web:0.1")],
      [row(10, "web:0.0", a), row(110, "web:0.1", a)],
      "web:0.1",
      "a 110-110 web:0.1",
    ],
    [
      "[HY4] is known by its place before the log begins",
      [spawned(100, "web:0.0", b)],
      [row(10, "web:0.0", a), row(20, "web:0.0", a)],
      "web:0.0",
      "a 10-20 web:0.0 | b 100-100 web:0.0",
    ],
    [
      "[HY5] has no start that was taken back",
      [spawned(0, "web:0.0", a), spawned(10, "web:0.0", b)],
      [row(5, "web:0.0", a), row(11, "web:0.0", b, "broken"), row(12, "web:0.0", a, "broken")],
      "web:0.0",
      "a 0-5 web:0.0",
    ],
    [
      "has what a hook told of later where it belongs",
      [spawned(0, "web:0.0", a), moved(30, "web:0.0", "web:0.1"), changed(40, "web:0.1", a, c)],
      [row(10, "web:0.0", a), row(20, "web:0.1", b, "stale"), row(40, "web:0.1", c)],
      "web:0.1",
      "a 0-10 web:0.0 | b 20-20 ? | c 40-40 web:0.1",
    ],
    [
      "has no place before somebody looked, whatever a hook told of later",
      [],
      [row(20, "web:0.1", b, "stale"), row(40, "web:0.1", c)],
      "web:0.1",
      "b 20-20 ? | c 40-40 web:0.1",
    ],
    [
      "[HY6] does not last until its row was dropped",
      [spawned(0, "web:0.0", a), dropped(900, "web:0.0", a)],
      [row(10, "web:0.0", a), row(900, "web:0.0", a, "stale")],
      "web:0.0",
      "a 0-10 web:0.0",
    ],
    [
      "[HY6] has nothing of a row that was dropped after its end",
      [spawned(0, "web:0.0", a), killed(24, "web:0.0"), dropped(29, "web:0.0", a)],
      [row(10, "web:0.0", a), row(29, "web:0.0", a, "stale"), row(40, "web:0.1", b)],
      "web:0.0",
      "a 0-10 web:0.0",
    ],
    [
      "[HY6] is parted where its row was dropped, also from the same session",
      [spawned(0, "web:0.0", a), dropped(500, "web:0.0", a)],
      [row(10, "web:0.0", a), row(900, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0 | a 900-900 web:0.0",
    ],
    ["knows nothing of a look that found nothing", [], [row(10, "web:0.0", null)], "web:0.0", ""],
  ])("%s", (_, log, rows, address, expected) =>
    expect(short(staysAt(livesOf(log, rows), address))).toBe(expected),
  );
});

test("[HY2] the end of a life is said, with the reason", () => {
  const log = [spawned(0, "web:0.0", a), spawned(0, "web:0.1", b), moved(10, "web:0.1", "web:0.0")];
  const ends = (more: LoggedEvent[]) =>
    staysAt(livesOf([...log, ...more], []), "web:0.0").map(({ end }) => end);
  expect(ends([])).toEqual([{ atMs: at(10), why: "another pane stands in its place" }, null]);
  expect(ends([killed(20, "web:0.0")])[1]).toEqual({ atMs: at(20), why: "its agent or its pane ended" });
  const removed = said(20, { name: "team.destroyed", team });
  expect(ends([removed])[1]).toEqual({ atMs: at(20), why: "its team was removed" });
});

describe("a moment", () => {
  const stays = staysAt(
    livesOf(
      [spawned(0, "web:0.0", a), killed(100, "web:0.0"), spawned(200, "web:0.0", c)],
      [row(10, "web:0.0", a), row(30, "web:0.0", b)],
    ),
    "web:0.0",
  );
  test.each([
    [-1, "before"],
    [0, a],
    [7, a],
    [10, a],
    [11, "between"],
    [30, b],
    [99, "between"],
    [200, c],
    [201, "since"],
  ])("[HS1] of second %i is answered, or it is said why not", (second, expected) =>
    expect(answer(stays, second)).toBe(expected),
  );

  test("[HS2] before a pane came to its place is that pane's, wherever it stood", () => {
    const lives = livesOf(
      [
        spawned(0, "web:0.0", a),
        spawned(0, "web:0.1", b),
        killed(50, "web:0.0"),
        moved(60, "web:0.1", "web:0.0"),
      ],
      [row(40, "web:0.0", a), row(40, "web:0.1", b), row(70, "web:0.0", b)],
    );
    expect(answer(staysAt(lives, "web:0.0"), 30)).toBe(b);
  });

  const places = (log: LoggedEvent[], rows: ForkRow[], session: SessionId, seconds: number[]) =>
    seconds.map((second) => {
      const found = placesAt(staysWith(livesOf(log, rows), session), at(second));
      return "known" in found ? found.known.map(({ address }) => address).join() : found.unknown;
    });

  test("[HS3] of a session's place is known where its pane was seen, or came to by the log", () => {
    const log = [spawned(0, "web:0.0", a), moved(20, "web:0.0", "web:0.1")];
    const rows = [row(10, "web:0.0", a), row(30, "web:0.1", a)];
    expect(places(log, rows, a, [0, 10, 15, 20, 30, 31])).toEqual([
      "web:0.0",
      "web:0.0",
      "moving",
      "web:0.1",
      "web:0.1",
      "since",
    ]);
  });

  test("[HS3] of a session's place is not known from hooks, but from looks before and after them", () => {
    const log = [spawned(0, "web:0.0", a), moved(50, "web:0.0", "web:0.1")];
    const told = [row(20, "web:0.1", b, "stale"), row(40, "web:0.1", b, "stale")];
    const rows = [row(30, "web:0.0", a), ...told, row(60, "web:0.1", c)];
    expect(places(log, rows, b, [20, 40])).toEqual(["web:0.0", "unplaced"]);
  });

  test("[HS4] that two sessions share is not known", () => {
    const lives = livesOf([spawned(0, "web:0.0", a), changed(0, "web:0.0", a, b)], []);
    expect(answer(staysAt(lives, "web:0.0"), 0)).toBe("changing");
  });
});
