import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utcSeconds } from "../base/utc.js";
import type { HiveEvent, Move } from "../events/event.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { LoggedEvent } from "../stores/event-log.js";
import type { ForkRow } from "../stores/forks.js";
import { type Stay, sessionAt, staysAt, staysOf } from "./history.js";
import { livesOf } from "./history-lives.js";

const id = (text: string) => `${text.padStart(8, "0")}-0000-4000-8000-000000000000` as SessionId;
const team = "web" as TeamName;
const role = "dev" as Role;
const start = Date.parse("2026-04-22T08:00:00Z");
const at = (second: number) => start + second * 1000;
const said = (second: number, event: HiveEvent): LoggedEvent => ({ at: utcSeconds(at(second)), event });
const row = (second: number, pane: PaneAddress, uuid: SessionId): ForkRow => ({
  ...{ at: utcSeconds(at(second)), pane, role, uuid, state: "live", parent: null },
});
const answer = (stays: readonly Stay[], second: number) => {
  const found = sessionAt(stays, at(second));
  return "known" in found ? found.known.session : found.unknown;
};

// A small world with its own truth: panes in places, sessions in panes, and what hivemind would have written down.

interface Pane {
  place: PaneAddress;
  session: SessionId;
  bornSecond: number;
  /** Where the log has it. */
  logged: PaneAddress;
  /** By second: what it had, and where it stood, at any moment of it. */
  had: Map<number, Set<SessionId>>;
  stood: Map<number, Set<PaneAddress>>;
  /** What its hooks told of, and no refresh has written down yet. */
  told: { second: number; session: SessionId }[];
}

type Act = ["spawn" | "clear" | "kill" | "lose" | "swap" | "shuffle" | "refresh" | "restore", number, number];

const acts: fc.Arbitrary<{ act: Act; gap: number }[]> = fc.array(
  fc.record({
    act: fc.tuple(
      fc.constantFrom("spawn", "clear", "kill", "lose", "swap", "shuffle", "refresh", "restore"),
      fc.nat(2),
      fc.nat(2),
    ) as fc.Arbitrary<Act>,
    gap: fc.constantFrom(0, 0, 0, 1, 2, 5),
  }),
  { maxLength: 40 },
);

/** Hooks tell of a session after its pane was moved and before anybody looked. */
const movedUnseen: { act: Act; gap: number }[] = [
  { act: ["spawn", 1, 0], gap: 0 },
  { act: ["shuffle", 1, 0], gap: 0 },
  { act: ["clear", 0, 0], gap: 5 },
  { act: ["spawn", 1, 0], gap: 1 },
  { act: ["clear", 0, 0], gap: 0 },
];

/** A pane that is started anew in the second in which it came back from elsewhere. */
const cameAndBegan: { act: Act; gap: number }[] = [
  { act: ["spawn", 0, 0], gap: 0 },
  { act: ["clear", 0, 0], gap: 0 },
  { act: ["shuffle", 2, 0], gap: 0 },
  { act: ["swap", 2, 0], gap: 1 },
  { act: ["restore", 0, 0], gap: 0 },
];

function live(steps: readonly { act: Act; gap: number }[]) {
  let second = 0;
  let made = 0;
  const log: LoggedEvent[] = [];
  const rows: ForkRow[] = [];
  const all: Pane[] = [];
  let panes: Pane[] = [];
  /** What the stores have, by place, and of which session. */
  const stored = new Map<PaneAddress, Pane>();
  const known = new Map<Pane, SessionId>();
  const place = (number: number): PaneAddress => `web:0.${number}`;
  const standing = (number: number) => panes.find((pane) => pane.place === place(number));
  const note = (event: HiveEvent) => log.push(said(second, event));
  const witness = () => {
    for (const pane of panes) {
      for (const [kept, value] of [
        [pane.had, pane.session],
        [pane.stood, pane.place],
      ] as const) {
        const seen = (kept as Map<number, Set<string>>).get(second) ?? new Set();
        (kept as Map<number, Set<string>>).set(second, seen.add(value));
      }
    }
  };
  /** Rows follow their panes, as one event. */
  const follow = (event?: (moves: Move[]) => HiveEvent) => {
    const moving = panes.filter((pane) => pane.logged !== pane.place && stored.get(pane.logged) === pane);
    if (moving.length === 0) return;
    const moves = moving.map(({ logged, place: to }) => ({ from: logged, to }));
    note(event?.(moves) ?? { name: "panes.shifted", team, moves });
    for (const { logged } of moving) stored.delete(logged);
    for (const pane of moving) {
      pane.logged = pane.place;
      stored.set(pane.place, pane);
    }
  };
  const begin = (number: number, session: SessionId, isForeign: boolean) => {
    if (standing(number) !== undefined) return;
    follow();
    const address = place(number);
    if (stored.has(address) && isForeign) note({ name: "agent.killed", pane: address });
    note({ name: "agent.spawned", pane: address, role, uuid: session });
    const pane: Pane = {
      place: address,
      logged: address,
      session,
      bornSecond: second,
      had: new Map(),
      stood: new Map(),
      told: [],
    };
    panes.push(pane);
    all.push(pane);
    known.set(pane, session);
    stored.set(address, pane);
  };
  const refresh = () => {
    follow();
    for (const [address, pane] of [...stored]) {
      if (panes.includes(pane)) continue;
      note({ name: "agent.killed", pane: address });
      stored.delete(address);
    }
    for (const pane of panes) {
      const old = known.get(pane)!;
      if (old !== pane.session)
        note({ name: "session.changed", pane: pane.place, old, new: pane.session, cause: "clear" });
      known.set(pane, pane.session);
      const passed = pane.told.splice(0).filter(({ session }) => session !== pane.session);
      for (const each of passed) rows.push({ ...row(each.second, pane.place, each.session), state: "stale" });
      rows.push(row(second, pane.place, pane.session));
    }
  };
  const exchange = (one: number, other: number) => {
    const [first, second] = [standing(one), standing(other)];
    if (first !== undefined) first.place = place(other);
    if (second !== undefined) second.place = place(one);
  };
  for (const { act, gap } of steps) {
    for (let passed = 0; passed < gap; passed++) {
      second++;
      witness();
    }
    const [name, one, other] = act;
    const pane = standing(one);
    if (name === "spawn") begin(one, id(`${++made}`), other % 2 === 0);
    if (name === "clear" && pane !== undefined) {
      pane.session = id(`${++made}`);
      pane.told.push({ second, session: pane.session });
    }
    if ((name === "kill" || name === "lose") && pane !== undefined) {
      if (name === "kill") {
        follow();
        note({ name: "agent.killed", pane: pane.place });
        stored.delete(pane.place);
      }
      panes = panes.filter((each) => each !== pane);
    }
    if (name === "swap" && one !== other) {
      follow();
      exchange(one, other);
      follow(([first, next]) =>
        next === undefined
          ? { name: "pane.moved", ...first! }
          : { name: "panes.swapped", team, a: first!.from, b: first!.to },
      );
    }
    if (name === "shuffle" && one !== other) exchange(one, other);
    if (name === "refresh") refresh();
    if (name === "restore") {
      const before = new Map([...stored].map(([address, each]) => [address, known.get(each)!]));
      panes = [];
      for (const [address, session] of before) begin(Number(address.slice(-1)), session, false);
    }
    witness();
  }
  for (let passed = 0; passed < 2; passed++) {
    second++;
    witness();
  }
  const lookedSecond = second;
  refresh();
  return { log, rows, all, panes, lookedSecond };
}

describe("any interleaving of starts, ends and moves", () => {
  test("[HY1] keeps the sessions of each pane apart, and claims nothing that was not so", () => {
    fc.assert(
      fc.property(acts, (steps) => {
        const { log, rows, all, panes, lookedSecond } = live(steps);
        const lives = livesOf(log, rows);
        for (const stay of lives.all.flatMap(staysOf)) {
          for (const place of stay.places) {
            for (const ms of [place.fromMs, place.toMs]) {
              const second = (ms - start) / 1000;
              const holder = all.find(
                (pane) =>
                  pane.had.get(second)?.has(stay.session) && pane.stood.get(second)?.has(place.address),
              );
              expect(holder, `${stay.session} at ${place.address} in second ${second}`).toBeDefined();
            }
          }
        }
        for (const pane of panes) {
          const stays = staysAt(lives, pane.place);
          expect(answer(stays, lookedSecond)).toBe(pane.session);
          for (let second = 0; second <= lookedSecond; second++) {
            const found = sessionAt(stays, at(second));
            if (!("known" in found)) continue;
            const { session } = found.known;
            const own = pane.had.get(second);
            if (own !== undefined) expect([...own]).toContain(session);
            else expect(all.some((other) => other.had.get(second)?.has(session))).toBe(true);
          }
        }
      }),
      { numRuns: 500, examples: [[movedUnseen], [cameAndBegan]] },
    );
  });
});
