import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rosterOf } from "../../../test/fleet/made.js";
import { agent, look, server, shown, uuid } from "../../../test/fleet/rosters.js";
import { HiveError } from "../../base/errors.js";
import type { AgentId } from "../../names/agent-id.js";
import { addressParts, type PaneAddress, type Role, type SessionId } from "../../names/gates.js";
import type { Views } from "../../stores/roster.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { withRole } from "../../teams/start/seating.js";
import { viewsOf } from "./roster-views.js";
import { settle } from "./settle.js";
import { takeIn } from "./take-in.js";

const role = (pane: string, name: string, epoch: number | null = 200) => ({
  pane: pane as PaneAddress,
  role: name as Role,
  epoch,
});
const session = (pane: string, digit: number) => ({ pane: pane as PaneAddress, uuid: uuid(digit) });

function ids() {
  let count = 0;
  return () => `new${"abcdefg"[count++]}aaaaaa` as AgentId;
}

describe("a foreign row", () => {
  const po = agent("po web:0.0 %1 1");
  const gone = agent("qa web:0.7 9%1 2");
  const away = agent("ux web:0.1 - 3");
  const resting = agent("ci ops:0.0 - 4");
  const agents = [po, gone, away, resting];
  // The tmux sessions began at second 100.
  const now = look("%1 web:0.0 1", "%2 web:0.1 5", "%3 web:0.2");

  function taken(edits: Partial<Views>) {
    const full = { roles: [], sessions: [], ...edits };
    const { agents: after, refused } = takeIn(agents, full, now, ids());
    return {
      changed: after.filter((each) => !agents.includes(each)).map(shown),
      refused: refused.map(({ why }) => why.replace(/-1111.*/, "")),
    };
  }

  test.each<[string, Partial<Views>, string[], string[]]>([
    [
      "[TIN3] a role that its agent gave up in the same edit, for two panes",
      { roles: [role("web:0.0", "lead"), role("web:0.2", "po"), role("web:0.3", "po")] },
      ["lead web:0.0 %1 1", "po web:0.2 %3 -"],
      ["web:0.2 already has the role po"],
    ],
    [
      "[TIN1] a role for a pane without an agent",
      { roles: [role("web:0.2", "dev")] },
      ["dev web:0.2 %3 -"],
      [],
    ],
    [
      "[TIN1] the same with its session",
      { roles: [role("web:0.2", "dev")], sessions: [session("web:0.2", 6)] },
      ["dev web:0.2 %3 6"],
      [],
    ],
    [
      "[TIN1] a role for the former pane of an away agent",
      { roles: [role("web:0.1", "dev")] },
      ["dev web:0.1 %2 5"],
      [],
    ],
    [
      "[TIN1] a row older than the tmux session",
      { roles: [role("web:0.2", "dev", 50)] },
      ["dev web:0.2 - -"],
      [],
    ],
    [
      "[TIN1] an older row whose session is in the pane",
      { roles: [role("web:0.1", "dev", 50)], sessions: [session("web:0.1", 5)] },
      ["dev web:0.1 %2 5"],
      [],
    ],
    ["[TIN1] a row without a time", { roles: [role("web:0.2", "dev", null)] }, ["dev web:0.2 %3 -"], []],
    [
      "[TIN2] a missing pane",
      { roles: [role("web:0.4", "dev")], sessions: [session("web:0.4", 6)] },
      ["dev web:0.4 - 6"],
      [],
    ],
    ["[TIN2] a team that is not running", { roles: [role("new:0.0", "po")] }, ["po new:0.0 - -"], []],
    ["[TIN3] another role", { roles: [role("web:0.0", "lead")] }, ["lead web:0.0 %1 1"], []],
    [
      "[TIN3] another role for an agent whose pane is gone",
      { roles: [role("web:0.7", "tester")] },
      ["tester web:0.7 9%1 2"],
      [],
    ],
    [
      "[TIN3] another role for an agent of a team that is not running",
      { roles: [role("ops:0.0", "cd")] },
      ["cd ops:0.0 - 4"],
      [],
    ],
    [
      "[TIN3] the role of another agent",
      { roles: [role("web:0.2", "po")] },
      [],
      ["web:0.0 already has the role po"],
    ],
    [
      "[TIN3] the role of an away agent",
      { roles: [role("web:0.2", "ux")] },
      [],
      ["web:0.1 already has the role ux"],
    ],
    [
      "[TIN4] another session for an agent whose pane is gone",
      { sessions: [session("web:0.7", 6)] },
      ["qa web:0.7 9%1 6"],
      [],
    ],
    ["[TIN4] a session other than the client's", { sessions: [session("web:0.0", 6)] }, [], []],
    [
      "[TIN4] the session of another agent",
      { sessions: [session("ops:0.0", 1)] },
      [],
      ["po has session 11111111"],
    ],
    [
      "[TIN4] a session for a pane without an agent",
      { sessions: [session("web:0.2", 6)] },
      ["(new) web:0.2 %3 6"],
      [],
    ],
    ["[TIN5] a removed row", {}, [], []],
  ])("%s", (_, edits, changed, refused) => expect(taken(edits)).toEqual({ changed, refused }));

  test("[TIN3] the old row of an agent that moved is its own", () => {
    const moved = look("%1 web:0.5 1");
    expect(takeIn([po], { roles: [role("web:0.0", "po", 60)], sessions: [] }, moved)).toEqual({
      agents: [po],
      refused: [],
    });
  });

  test("[TIN3] a row at a pane to which an agent moved is refused", () => {
    const moved = look("%1 web:0.5 1");
    const { agents: after, refused } = takeIn(
      [po],
      { roles: [role("web:0.5", "lead")], sessions: [] },
      moved,
    );
    expect({ after, refused }).toEqual({
      after: [po],
      refused: [{ pane: "web:0.5", why: "po moved there after the last change" }],
    });
  });

  test("[TIN1] a row at the place that an agent without a role left is for the current pane", () => {
    const unnamed = { ...agent("po web:0.0 %1 1"), role: null };
    const moved = look("%1 web:0.5 1", "%2 web:0.0");
    const edit = { roles: [role("web:0.0", "dev")], sessions: [] };
    expect(takeIn([unnamed], edit, moved, ids()).agents.map(shown)).toEqual([
      "(po) web:0.0 %1 1",
      "dev web:0.0 %2 -",
    ]);
  });

  test("[TIN2] a row of a team that runs on another server becomes an away agent", () => {
    const elsewhere = agent("po web:0.0 8%1 1");
    const { agents: after } = takeIn(
      [elsewhere],
      { roles: [role("web:0.2", "dev")], sessions: [] },
      now,
      ids(),
    );
    expect(after.map(shown)).toEqual(["po web:0.0 8%1 1", "dev web:0.2 - -"]);
  });
});

// A user edits S1 and S2. The roster afterwards is the one that the equivalent commands give.

const nowSeconds = 99_000;
const teams = ["web", "ops"];
const place = fc.tuple(fc.constantFrom(...teams), fc.nat(3)).map(([team, at]) => `${team}:0.${at}`);
const names = ["po", "qa", "ux", "dev"];

/** Only `web` runs. */
const grounds = fc
  .record({
    rows: fc.uniqueArray(
      fc.tuple(
        fc.constantFrom(...names),
        place,
        fc.oneof(
          fc.constant("-"),
          fc.nat(3).map((id) => `%${id}`),
        ),
        fc.constantFrom("1", "2", "3"),
      ),
      { selector: ([name]) => name },
    ),
    said: fc.array(fc.constantFrom("-", "1", "5", "6"), { minLength: 1, maxLength: 4 }),
  })
  .map(({ rows, said }) => {
    const now = look(...said.map((digit, at) => `%${at} web:0.${at} ${digit}`));
    const taken = new Set<string>();
    const isFree = (key: string) => !taken.has(key) && taken.add(key).size > 0;
    const agents = rows
      .map((row) => agent(row.join(" ")))
      .map((row) => ({
        ...row,
        seat: row.seat !== null && isFree(row.seat.pane) ? row.seat : null,
        session: row.session !== null && isFree(row.session) ? row.session : null,
      }));
    return { now, agents: settle(agents, now).agents };
  });

type Edit = { is: "role" | "session" | "removed"; at: string; value: string };
const edits: fc.Arbitrary<Edit[]> = fc.uniqueArray(
  fc.record({
    is: fc.constantFrom("role", "session", "removed") as fc.Arbitrary<Edit["is"]>,
    at: place,
    value: fc.constantFrom("po", "qa", "ux", "lead", "ops"),
  }),
  { selector: ({ at }) => at, maxLength: 3 },
);
/** The session that an edit writes, by its short name. */
const typed = (word: string): SessionId => uuid(["po", "qa", "ux", "lead", "ops"].indexOf(word) + 1);

type Ground = { now: ReturnType<typeof look>; agents: readonly AgentRow[] };

/** The views as the user leaves them. */
function edited({ agents }: Ground, wanted: readonly Edit[]): { before: Views; after: Views } {
  const before = viewsOf(agents, new Set(["web"]));
  const at = (is: Edit["is"]) =>
    new Map(wanted.filter((edit) => edit.is === is).map((edit) => [edit.at, edit]));
  const [roles, sessions, removed] = [at("role"), at("session"), at("removed")];
  const isLeft = ({ pane }: { pane: string }) => !removed.has(pane);
  return {
    before,
    after: {
      roles: [
        ...before.roles.filter((row) => isLeft(row) && !roles.has(row.pane)),
        ...[...roles.values()].map((edit) => role(edit.at, edit.value, nowSeconds)),
      ],
      sessions: [
        ...before.sessions.filter((row) => isLeft(row) && !sessions.has(row.pane)),
        ...[...sessions.values()].map((edit) => ({ pane: edit.at as PaneAddress, uuid: typed(edit.value) })),
      ],
    },
  };
}

/** What `registry set`, `agent rename` and a session for an away agent do. A refusal changes nothing. */
function commanded(ground: Ground, wanted: readonly Edit[]): readonly AgentRow[] {
  const order = ["role", "session", "removed"];
  return wanted
    .toSorted((a, b) => order.indexOf(a.is) - order.indexOf(b.is))
    .reduce((agents, edit) => {
      try {
        return command({ ...ground, agents }, edit);
      } catch (error) {
        if (!(error instanceof HiveError)) throw error;
        return agents;
      }
    }, ground.agents);
}

function command({ now, agents }: Ground, { is, at, value }: Edit): readonly AgentRow[] {
  if (is === "removed") return agents;
  const address = at as PaneAddress;
  const pane = now.panes.find((each) => each.address === address);
  const { team } = addressParts(address);
  const owner = ownerAt(agents, address, pane?.id);
  if (is === "role") {
    const name = value as Role;
    if (pane !== undefined && owner?.seat !== null) {
      const wish = { pane: { id: pane.id, address }, team, kind: pane.kind, role: name, session: null };
      return withRole({ ...rosterOf([]), agents, server }, wish, pane.session, now.nowMs);
    }
    if (agents.some((each) => each.team === team && each.role === name && each.id !== owner?.id))
      return agents;
    return owner === undefined
      ? [...agents, awayAgent(address, name, null)]
      : agents.map((each) => (each.id === owner.id ? { ...each, role: name } : each));
  }
  const uuidTyped = typed(value);
  if (agents.some((each) => each.session === uuidTyped)) return agents;
  const said = pane !== undefined && (owner === undefined || owner.seat !== null) ? pane.session : null;
  if (said !== null && said !== uuidTyped) return agents;
  if (owner !== undefined)
    return agents.map((each) => (each.id === owner.id ? { ...each, session: uuidTyped } : each));
  const seat = pane === undefined ? null : { server, pane: pane.id };
  return [...agents, { ...awayAgent(address, null, uuidTyped), seat, kind: pane?.kind ?? "" }];
}

/** The agent in the pane, else the one whose row has that address. */
function ownerAt(agents: readonly AgentRow[], address: PaneAddress, pane?: string): AgentRow | undefined {
  const sitter = agents.find(({ seat }) => seat !== null && seat.pane === pane);
  if (sitter !== undefined || addressParts(address).team === "web") return sitter;
  return agents
    .filter((each) => each.address === address)
    .toSorted((a, b) => a.epoch - b.epoch)
    .at(-1);
}

function awayAgent(address: PaneAddress, name: Role | null, given: SessionId | null): AgentRow {
  const { team } = addressParts(address);
  return {
    id: "new" as AgentId,
    team,
    role: name,
    kind: "",
    session: given,
    seat: null,
    address,
    epoch: nowSeconds,
  };
}

/** Without the ids, which are new each time. */
const plain = (agents: readonly AgentRow[], known: readonly AgentRow[]) =>
  agents.map(({ id, ...row }) => (known.some((agent) => agent.id === id) ? { id, ...row } : row));

const differing = <Row>(rows: readonly Row[], ours: readonly Row[]) => {
  const known = new Set(ours.map((row) => JSON.stringify(row)));
  return rows.filter((row) => !known.has(JSON.stringify(row)));
};

test("[TIN6] any edit of a view gives the same roster as the equivalent command, once", () => {
  fc.assert(
    fc.property(grounds, edits, (ground, wanted) => {
      const { before, after } = edited(ground, wanted);
      const found = {
        roles: differing(after.roles, before.roles),
        sessions: differing(after.sessions, before.sessions),
      };
      const taken = takeIn(ground.agents, found, ground.now, ids());
      const expected = plain(commanded(ground, wanted), ground.agents);
      expect(new Set(plain(taken.agents, ground.agents))).toEqual(new Set(expected));
      expect(taken.agents).toHaveLength(expected.length);
      // With several edits, the second time may accept what the first had to refuse.
      if (wanted.length === 1)
        expect(takeIn(taken.agents, found, ground.now, ids()).agents).toEqual(taken.agents);
    }),
    { numRuns: 2000 },
  );
});
