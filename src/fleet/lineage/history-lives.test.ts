import fc from "fast-check";
import { expect, test } from "vitest";
import { utcSeconds } from "../../base/text/utc.js";
import type { HiveEvent, Move } from "../../events/event.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../../names/gates.js";
import type { LoggedEvent } from "../../stores/event-log.js";
import type { ForkRow } from "../../stores/forks.js";
import { sessionAt, staysAt, staysBy, staysOf } from "./history.js";
import { historiesOf } from "./history-lives.js";

const id = (text: string) => `${text.padStart(8, "0")}-0000-4000-8000-000000000000` as SessionId;
const team = "web" as TeamName;
const start = Date.parse("2026-04-22T08:00:00Z");
const at = (second: number) => start + second * 1000;
const place = (number: number): PaneAddress => `web:0.${number}`;

// A small world with its own truth: agents in panes, panes at addresses, and what hivemind would have recorded.

interface Agent {
  agent: AgentId;
  role: Role | null;
  /** Null while it is away. */
  place: PaneAddress | null;
  session: SessionId;
  /** Its address in the roster. */
  seated: PaneAddress | null;
  known: SessionId;
  /** Per second: its sessions and addresses at any moment of it. */
  had: Map<number, Set<SessionId>>;
  stood: Map<number, Set<PaneAddress>>;
  /** Reported by its hooks, and not recorded by a refresh yet. */
  told: { second: number; session: SessionId }[];
}

const names = ["spawn", "clear", "kill", "lose", "swap", "shuffle", "refresh", "restore"] as const;
type Act = [(typeof names)[number], number, number];
interface Step {
  act: Act;
  gap: number;
}

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    act: fc.tuple(fc.constantFrom(...names), fc.nat(2), fc.nat(2)),
    gap: fc.constantFrom(0, 0, 0, 1, 2, 5),
  }),
  { maxLength: 40 },
);

function live(all: readonly Step[]) {
  let second = 0;
  let made = 0;
  const log: LoggedEvent[] = [];
  const rows: ForkRow[] = [];
  const agents: Agent[] = [];
  const sitting = (number: number) => agents.find((agent) => agent.place === place(number));
  const note = (event: HiveEvent) => log.push({ at: utcSeconds(at(second)), event });
  const write = (
    when: number,
    pane: PaneAddress,
    uuid: SessionId,
    role: Role | null,
    state: ForkRow["state"],
  ) => rows.push({ at: utcSeconds(at(when)), pane, role, uuid, state, parent: null });

  const witness = () => {
    for (const { had, stood, session, place: where } of agents) {
      if (where === null) continue;
      had.set(second, (had.get(second) ?? new Set()).add(session));
      stood.set(second, (stood.get(second) ?? new Set()).add(where));
    }
  };
  const pass = (seconds: number) => {
    for (let passed = 0; passed < seconds; passed++) {
      second++;
      witness();
    }
  };

  /** One change of the roster: logs what its look shows. */
  const change = (looked = new Map(agents.map((agent) => [agent, agent.place]))) => {
    const moves = agents.flatMap(({ agent, seated, ...each }): Required<Move>[] => {
      const to = looked.get(agents.find((other) => other.agent === agent)!) ?? null;
      return each.place !== null && seated !== null && to !== null && seated !== to
        ? [{ from: seated, to, agent }]
        : [];
    });
    const [first, next, ...more] = moves;
    if (first && next === undefined) note({ name: "pane.moved", ...first });
    else if (first && next && more.length === 0 && first.from === next.to && first.to === next.from)
      note({ name: "panes.swapped", team, a: first.from, b: first.to });
    else if (first) note({ name: "panes.shifted", team, moves });
    for (const agent of agents) {
      const to = looked.get(agent) ?? null;
      if (agent.seated !== null && to === null)
        note({ name: "agent.killed", pane: agent.seated, cause: "gone", agent: agent.agent });
      if (agent.seated === null && to !== null)
        note({ name: "agent.spawned", pane: to, role: agent.role, uuid: agent.known, agent: agent.agent });
      agent.seated = to;
    }
  };

  /** Rows of S5 first; a slow refresh logs the changes in a later second. */
  const refresh = (isSlow: boolean) => {
    const looked = new Map(agents.map((agent) => [agent, agent.place]));
    const sessions = new Map(agents.map((agent) => [agent, agent.session]));
    for (const { place: pane, session, role, told } of agents) {
      if (pane === null) continue;
      for (const passed of told.splice(0))
        if (passed.session !== session) write(passed.second, pane, passed.session, role, "stale");
      write(second, pane, session, role, "live");
    }
    if (isSlow) pass(1);
    change(looked);
    for (const agent of agents) {
      const session = sessions.get(agent)!;
      if (looked.get(agent) === null || agent.known === session) continue;
      const { seated: pane, known: old } = agent;
      note({ name: "session.changed", pane: pane!, old, new: session, cause: "clear", agent: agent.agent });
      agent.known = session;
    }
  };

  const act = ([name, one, other]: Act) => {
    const there = sitting(one);
    switch (name) {
      case "spawn": {
        if (there !== undefined) return;
        const session = id(`${++made}`);
        const facts = { had: new Map(), stood: new Map(), told: [], seated: null, known: session, session };
        const agent =
          `agent${made.toString(8).replaceAll("0", "a").replaceAll("1", "b").padEnd(5, "x")}` as AgentId;
        agents.push({
          agent,
          role: made % 3 === 0 ? null : (`r${made}` as Role),
          place: place(one),
          ...facts,
        });
        return change();
      }
      case "clear":
        if (there === undefined) return;
        there.session = id(`${++made}`);
        return void there.told.push({ second, session: there.session });
      case "kill":
      case "lose":
        if (there === undefined) return;
        there.place = null;
        return name === "kill" ? change() : undefined;
      case "swap":
      case "shuffle": {
        const second = sitting(other);
        // A pane that left and came back between two looks was where it is seen, as far as anything shows.
        if (name === "shuffle" && [there, second].some((agent) => agent && agent.place !== agent.seated))
          return;
        if (name === "swap") change();
        if (there !== undefined) there.place = place(other);
        if (second !== undefined && one !== other) second.place = place(one);
        return name === "swap" ? change() : undefined;
      }
      case "refresh":
        return refresh(other === 1);
      case "restore": {
        for (const agent of agents) agent.place = null;
        change();
        for (const [at, agent] of agents.slice(-3).entries()) {
          agent.place = place((at + one) % 3);
          agent.session = agent.known;
          agent.told = [];
        }
        return change();
      }
    }
  };

  for (const { act: next, gap } of all) {
    pass(gap);
    act(next);
    witness();
  }
  pass(2);
  refresh(false);
  witness();
  return { log, rows, agents, lastSecond: second };
}

/** Hooks report a session after its pane was moved and before the next look. */
const movedUnseen: Step[] = [
  { act: ["spawn", 1, 0], gap: 0 },
  { act: ["shuffle", 1, 0], gap: 0 },
  { act: ["clear", 0, 0], gap: 5 },
  { act: ["spawn", 1, 0], gap: 1 },
  { act: ["clear", 0, 0], gap: 0 },
];

/** Rows of S5 have moved panes a second before the log does. */
const slowRefresh: Step[] = [
  { act: ["spawn", 0, 0], gap: 0 },
  { act: ["spawn", 1, 0], gap: 0 },
  { act: ["lose", 0, 0], gap: 2 },
  { act: ["shuffle", 1, 0], gap: 1 },
  { act: ["refresh", 0, 1], gap: 1 },
];

test("any interleaving of starts, ends and moves keeps agents apart and claims nothing wrong", () => {
  fc.assert(
    fc.property(steps, (all) => {
      const { log, rows, agents, lastSecond } = live(all);
      const lives = historiesOf(log, rows);
      for (const stay of lives.all.flatMap(staysOf))
        for (const { address, fromMs, toMs } of stay.places)
          for (const second of [fromMs, toMs].map((ms) => (ms - start) / 1000)) {
            const isTrue = ({ had, stood }: Agent) =>
              had.get(second)?.has(stay.session) && stood.get(second)?.has(address);
            expect(agents.some(isTrue), `${stay.session} at ${address} in second ${second}`).toBe(true);
          }
      for (const { agent, had, place: where, session } of agents) {
        const own = staysBy(lives, agent);
        for (let second = 0; second <= lastSecond; second++) {
          const found = sessionAt(own, at(second));
          if ("known" in found) expect([...(had.get(second) ?? [])]).toContain(found.known.session);
        }
        if (where === null) continue;
        const now = sessionAt(staysAt(lives, where), at(lastSecond));
        expect("known" in now ? now.known.session : now.unknown).toBe(session);
      }
    }),
    { numRuns: 500, examples: [[movedUnseen], [slowRefresh]] },
  );
});
