import { describe, expect, test } from "vitest";
import { agentId } from "../../../test/fleet/rosters.js";
import { utcSeconds } from "../../base/text/utc.js";
import type { HiveEvent } from "../../events/event.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../../names/gates.js";
import type { LoggedEvent } from "../../stores/event-log.js";
import type { ForkRow } from "../../stores/forks.js";
import { placesAt, type Stay, sessionAt, staysAt, staysBy, staysWith } from "./history.js";
import { historiesOf } from "./history-lives.js";

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
/** Without an agent's id, as earlier versions logged it. */
const by = (name?: string) => (name === undefined ? {} : { agent: agentId(name) });
const spawned = (second: number, pane: PaneAddress, uuid: SessionId | null, name?: string) =>
  said(second, { name: "agent.spawned", pane, role: dev, uuid, ...by(name) });
const changed = (second: number, pane: PaneAddress, old: SessionId, to: SessionId, name?: string) =>
  said(second, { name: "session.changed", pane, old, new: to, cause: "clear", ...by(name) });
const killed = (second: number, pane: PaneAddress, name?: string) =>
  said(second, { name: "agent.killed", pane, ...by(name) });
const dropped = (second: number, pane: PaneAddress, uuid: SessionId) =>
  said(second, { name: "session.dropped", pane, uuid, state: "stale" });
const moved = (second: number, from: PaneAddress, to: PaneAddress, name?: string) =>
  said(second, { name: "pane.moved", from, to, ...by(name) });
const swapped = (second: number, one: PaneAddress, other: PaneAddress) =>
  said(second, { name: "panes.swapped", team, a: one, b: other });

/** `a 0-10 web:0.0 | b 20-20 ?`, in seconds; `?` for an unknown address. */
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

describe("the agent at an address", () => {
  test.each<[string, LoggedEvent[], ForkRow[], PaneAddress, string]>([
    [
      "has one life, also if the log got its start some seconds after its row",
      [spawned(2, "web:0.0", a, "dev")],
      [row(0, "web:0.0", a), row(5, "web:0.0", a)],
      "web:0.0",
      "a 2-5 web:0.0",
    ],
    [
      "is followed through a swap",
      [spawned(0, "web:0.0", a, "po"), spawned(0, "web:0.1", b, "qa"), swapped(10, "web:0.0", "web:0.1")],
      [row(5, "web:0.0", a), row(20, "web:0.1", a), row(20, "web:0.0", b)],
      "web:0.1",
      "a 0-20 web:0.0>web:0.1",
    ],
    [
      "is followed through a renamed team and panes that shifted",
      [
        spawned(0, "web:0.0", a, "po"),
        said(10, { name: "team.renamed", old: team, new: "net" as TeamName }),
        said(20, {
          name: "panes.shifted",
          team: "net" as TeamName,
          moves: [
            { from: "net:0.0", to: "net:0.1", agent: agentId("po") },
            { from: "net:0.1", to: "net:0.0", agent: agentId("qa") },
          ],
        }),
      ],
      [row(30, "net:0.1", a)],
      "net:0.1",
      "a 0-30 web:0.0>net:0.0>net:0.1",
    ],
    [
      "is not the one in a row that contradicts the log",
      [spawned(0, "web:0.0", a, "po")],
      [row(5, "web:0.0", a), row(10, "web:0.0", b), row(15, "web:0.0", a)],
      "web:0.0",
      "a 0-15 web:0.0",
    ],
    [
      "is another after an end",
      [spawned(0, "web:0.0", a, "po"), killed(10, "web:0.0", "po"), spawned(20, "web:0.0", b, "qa")],
      [row(5, "web:0.0", a), row(25, "web:0.0", b)],
      "web:0.0",
      "a 0-5 web:0.0 | b 20-25 web:0.0",
    ],
    [
      "is another, even if the same session is seen there again",
      [spawned(0, "web:0.0", a), killed(10, "web:0.0")],
      [row(20, "web:0.0", a)],
      "web:0.0",
      "a 0-0 web:0.0 | a 20-20 web:0.0",
    ],
    [
      "ends the stay of the agent it replaced",
      [spawned(0, "web:0.0", a, "po"), spawned(0, "web:0.1", b, "qa"), moved(10, "web:0.1", "web:0.0", "qa")],
      [row(20, "web:0.0", b)],
      "web:0.0",
      "a 0-0 web:0.0 | b 0-20 web:0.1>web:0.0",
    ],
    [
      "begins again, even in the same session, if the server was gone in between",
      [spawned(0, "web:0.0", a), spawned(100, "web:0.0", a)],
      [row(10, "web:0.0", a), row(110, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0 | a 100-110 web:0.0",
    ],
    [
      "begins again in an unknown session",
      [spawned(0, "web:0.0", a), spawned(100, "web:0.0", null)],
      [row(10, "web:0.0", a), row(110, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0 | a 110-110 web:0.0",
    ],
    [
      "is not taken from a row in the second in which another agent left",
      [spawned(0, "web:0.0", a, "po"), killed(10, "web:0.0", "po")],
      [row(10, "web:0.0", a)],
      "web:0.0",
      "a 0-0 web:0.0",
    ],
    [
      "is taken from a row of that second, if the log agrees",
      [spawned(0, "web:0.0", a, "po"), spawned(0, "web:0.1", b, "qa"), swapped(10, "web:0.0", "web:0.1")],
      [row(10, "web:0.0", b), row(10, "web:0.1", c)],
      "web:0.0",
      "b 0-10 web:0.1>web:0.0",
    ],
    [
      "is not followed through the moves of an earlier version",
      [spawned(0, "web:0.0", a), spawned(0, "web:0.1", b), swapped(10, "web:0.0", "web:0.1")],
      [row(5, "web:0.0", a), row(20, "web:0.1", b)],
      "web:0.1",
      "b 0-0 web:0.1 | b 20-20 web:0.1",
    ],
    [
      "is unknown after the moves of an earlier version, until it is seen",
      [spawned(0, "web:0.0", a), moved(10, "web:0.0", "web:0.1"), changed(20, "web:0.1", a, c)],
      [],
      "web:0.1",
      "c 20-20 web:0.1",
    ],
    [
      "has no history before the log begins",
      [moved(100, "web:0.0", "web:0.1", "po")],
      [row(10, "web:0.0", a), row(110, "web:0.1", a)],
      "web:0.1",
      "",
    ],
    [
      "is known by its address before the log begins",
      [spawned(100, "web:0.0", b, "po")],
      [row(10, "web:0.0", a), row(20, "web:0.0", a)],
      "web:0.0",
      "a 10-20 web:0.0 | b 100-100 web:0.0",
    ],
    [
      "is not taken from a broken row",
      [spawned(0, "web:0.0", a)],
      [row(5, "web:0.0", a), row(11, "web:0.0", b, "broken"), row(12, "web:0.0", a, "broken")],
      "web:0.0",
      "a 0-5 web:0.0",
    ],
    [
      "gets a hook's late report at the right time",
      [
        spawned(0, "web:0.0", a, "po"),
        moved(30, "web:0.0", "web:0.1", "po"),
        changed(40, "web:0.1", a, c, "po"),
      ],
      [row(10, "web:0.0", a), row(20, "web:0.1", b, "stale"), row(40, "web:0.1", c)],
      "web:0.1",
      "a 0-10 web:0.0 | b 20-20 ? | c 40-40 web:0.1",
    ],
    [
      "has no address before the first look, whatever a hook reported later",
      [],
      [row(20, "web:0.1", b, "stale"), row(40, "web:0.1", c)],
      "web:0.1",
      "b 20-20 ? | c 40-40 web:0.1",
    ],
    [
      "was not there until its session was dropped",
      [spawned(0, "web:0.0", a), dropped(900, "web:0.0", a)],
      [row(10, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0",
    ],
    [
      "has a new stay after its session was dropped, even in the same one",
      [spawned(0, "web:0.0", a), dropped(500, "web:0.0", a)],
      [row(10, "web:0.0", a), row(900, "web:0.0", a)],
      "web:0.0",
      "a 0-10 web:0.0 | a 900-900 web:0.0",
    ],
    ["is not known from a look that found nothing", [], [row(10, "web:0.0", null)], "web:0.0", ""],
  ])("%s", (_, log, rows, address, expected) =>
    expect(short(staysAt(historiesOf(log, rows), address))).toBe(expected),
  );
});

test("an agent that came back elsewhere is the same agent", () => {
  const log = [
    spawned(0, "web:0.0", a, "po"),
    killed(10, "web:0.0", "po"),
    spawned(20, "web:0.0", b, "qa"),
    spawned(30, "web:0.5", a, "po"),
    changed(40, "web:0.5", a, c, "po"),
  ];
  const lives = historiesOf(log, []);
  expect(short(staysBy(lives, agentId("po")))).toBe("a 0-0 web:0.0 | a 30-30 web:0.5 | c 40-40 web:0.5");
  expect(short(staysAt(lives, "web:0.0"))).toBe("a 0-0 web:0.0 | b 20-20 web:0.0");
});

test("the end of a stay has its reason", () => {
  const log = [spawned(0, "web:0.0", a, "po"), spawned(0, "web:0.1", b, "qa")];
  const ends = (...more: LoggedEvent[]) =>
    staysBy(historiesOf([...log, ...more], []), agentId("po")).map(({ end }) => end);
  const removed = said(20, { name: "team.destroyed", team });
  const forgotten = said(20, { name: "agent.forgotten", role: dev, agent: agentId("po") });
  expect(ends()).toEqual([null]);
  expect(ends(moved(10, "web:0.1", "web:0.0", "qa"))).toEqual([
    { atMs: at(10), why: "another agent was seen in its place" },
  ]);
  expect(ends(killed(20, "web:0.0", "po"))).toEqual([{ atMs: at(20), why: "its agent or its pane ended" }]);
  expect(ends(forgotten)).toEqual([{ atMs: at(20), why: "it was forgotten" }]);
  expect(ends(removed)).toEqual([{ atMs: at(20), why: "its team was removed" }]);
});

describe("a moment", () => {
  const stays = staysAt(
    historiesOf(
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
  ])("of second %i has an answer or a reason", (second, expected) =>
    expect(answer(stays, second)).toBe(expected),
  );

  test("before an agent came to its place belongs to that agent, wherever it sat", () => {
    const lives = historiesOf(
      [
        spawned(0, "web:0.0", a, "po"),
        spawned(0, "web:0.1", b, "qa"),
        killed(50, "web:0.0", "po"),
        moved(60, "web:0.1", "web:0.0", "qa"),
      ],
      [row(40, "web:0.0", a), row(40, "web:0.1", b), row(70, "web:0.0", b)],
    );
    expect(answer(staysAt(lives, "web:0.0"), 30)).toBe(b);
  });

  const places = (log: LoggedEvent[], rows: ForkRow[], session: SessionId, seconds: number[]) =>
    seconds.map((second) => {
      const found = placesAt(staysWith(historiesOf(log, rows), session), at(second));
      return "known" in found ? found.known.map(({ address }) => address).join() : found.unknown;
    });

  test("of a session's address is known if its pane was seen there, or came there by the log", () => {
    const log = [spawned(0, "web:0.0", a, "po"), moved(20, "web:0.0", "web:0.1", "po")];
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

  test("of a session's address is unknown from hooks, but known from looks before and after them", () => {
    const log = [spawned(0, "web:0.0", a, "po"), moved(50, "web:0.0", "web:0.1", "po")];
    const told = [row(20, "web:0.1", b, "stale"), row(40, "web:0.1", b, "stale")];
    const rows = [row(30, "web:0.0", a), ...told, row(60, "web:0.1", c)];
    expect(places(log, rows, b, [20, 40])).toEqual(["web:0.0", "unplaced"]);
  });

  test("shared by two sessions is unknown", () => {
    const lives = historiesOf([spawned(0, "web:0.0", a, "po"), changed(0, "web:0.0", a, b, "po")], []);
    expect(answer(staysAt(lives, "web:0.0"), 0)).toBe("changing");
  });
});
