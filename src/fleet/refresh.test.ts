import { describe, expect, test } from "vitest";
import { nameInTitle } from "../agents/all.js";
import { formatArguments } from "../events/event.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import type { Discovery, SessionState } from "./discover.js";
import { type HookChange, type HookFindings, noHooks } from "./hook-claims.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { planRefresh } from "./refresh.js";
import { findShifts } from "./shifts.js";

const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000`;
const [x, y] = [id("a"), id("b")] as const;

interface Agent {
  title?: string;
  /** `address role`; where the two are missing, the pane has no mark. */
  mark?: string;
  uuid?: string;
  state?: SessionState;
  kind?: FleetPane["kind"];
  alsoAt?: string[];
}

type Rows = Record<string, string>;

interface Given {
  /** What hooks reported of the first pane. */
  changes?: readonly HookChange[];
  usedUp?: HookFindings["usedUp"];
  /** Parents that S5 has, of whatever session. */
  recorded?: string;
  /** Rows that S5 has: `at|pane|uuid`. */
  rows?: string[];
  panes: Record<string, Agent>;
  roles?: Rows;
  /** When the roles were given; the tmux sessions were created at 100. */
  epoch?: number;
  sessions?: Rows;
  teams?: string[];
  only?: string;
}

function fleetOf(given: Given["panes"]): Fleet {
  const panes = Object.entries(given).map(([address, agent], at) => {
    const { title = "", mark, kind = "claude", alsoAt = [] } = agent;
    const [marked, role] = mark?.split(" ") ?? [];
    const sessionName = address.slice(0, address.lastIndexOf(":"));
    const seen = {
      id: `%${at}`,
      address,
      sessionName,
      sessionCreatedMs: 100_000,
      alsoAt,
      sessionId: "$1",
      team: "$1|was",
      title,
      name: nameInTitle(title),
      kind,
    };
    const read = mark === undefined ? null : { address: marked, role };
    return { ...seen, mark: read, live: null, arguments: null, process: null } as unknown as FleetPane;
  });
  const found = Object.values(given).map(({ uuid, state = uuid ? "stable" : "unknown" }, at) => {
    const discovery: Discovery = {
      uuid: (uuid ?? null) as SessionId | null,
      state,
      title: null,
      evidence: [],
    };
    return [`%${at}` as PaneId, discovery] as const;
  });
  const index = { transcripts: [], byId: new Map(), problems: [], bytesRead: 0 };
  return {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: null,
    panes,
    shifts: findShifts(panes),
    hooks: noHooks,
    index,
    sessions: new Map(found),
  };
}

function plan(given: Given) {
  const { panes, roles = {}, sessions = {}, teams = ["a"], only, recorded, rows = [] } = given;
  const { changes = [], usedUp = [], epoch = null } = given;
  const entries = (rows: Rows) => Object.entries(rows) as [PaneAddress, string][];
  const made = planRefresh(
    { ...fleetOf(panes), hooks: { ...noHooks, changes, usedUp } },
    {
      roles: entries(roles).map(([pane, role]) => ({ pane, role: role as Role, epoch })),
      sessions: entries(sessions).map(([pane, uuid]) => ({ pane, uuid: uuid as SessionId })),
      teams: teams.map((team) => ({ team: team as TeamName, description: "" })),
      recordedParent: () => (recorded ?? null) as SessionId | null,
      isRecorded: (...row) => rows.includes(row.join("|")),
    },
    { nowMs: 0, hostName: "box", ...(only ? { team: only as TeamName } : {}) },
  );
  return {
    ...made,
    events: made.events.map((event) => `${event.name} ${formatArguments(event)}`),
    unnamed: made.unnamed.map(({ pane }) => pane),
    forkRows: made.forkRows.map(({ pane, role, uuid, state }) => [pane, role, uuid, state].join("|")),
  };
}

const check = (title: string, given: Given, expected: object) =>
  test(title, () => expect(plan(given)).toMatchObject(expected));

describe("[RG1] first what moved", () => {
  check(
    "[RG1] a closed pane: its end is told, and the one behind it is re-keyed (incident 45)",
    {
      panes: { "a:0.0": { mark: "a:0.1 dev", uuid: y } },
      roles: { "a:0.0": "po", "a:0.1": "dev" },
      sessions: { "a:0.0": x, "a:0.1": y },
    },
    // The row of the gone pane is dropped by the move onto its place.
    { events: ["agent.killed a:0.0 unasked", "panes.shifted a a:0.1>a:0.0"], updated: 1 },
  );
});

describe("[RG2] rows of panes that are gone", () => {
  const roles = { "a:0.0": "po", "a:0.7": "old", "b:0.7": "other", "a2:0.7": "else" };
  const marked = { mark: "a:0.0 po", uuid: x };
  const sessions = { "a:0.0": x };
  check(
    "[RG2] are dropped in the team asked for only (incident 5)",
    { panes: { "a:0.0": marked, "b:0.0": { kind: "shell" } }, roles, sessions, teams: ["a", "b"], only: "a" },
    { events: ["agent.killed a:0.7 unasked"] },
  );
  check(
    "[RG2] stay in a tmux session that is no team, and in one that begins with its name (incident 11)",
    { panes: { "a:0.0": marked, "a2:0.0": { kind: "shell" }, "b:0.0": { kind: "shell" } }, roles, sessions },
    { events: ["agent.killed a:0.7 unasked"] },
  );
  check("[RG2] stay in a team that does not run", { panes: {}, roles, teams: ["a", "b"] }, { events: [] });
  check(
    "[RG2] a row in S2 alone is dropped too",
    { panes: { "a:0.0": { kind: "shell" } }, sessions: { "a:0.3": x } },
    { events: ["agent.killed a:0.3 unasked"] },
  );
  check(
    "[RG2] a pane in a tmux session whose name no row can hold keeps its row",
    {
      panes: { "a:0.0": { kind: "shell" }, "my team:0.0": { mark: "a:0.1 po", kind: "shell" } },
      roles: { "a:0.1": "po" },
    },
    { events: [] },
  );
  check(
    "[RG2] a pane that another tmux session shows as well is there",
    { panes: { "b:0.0": { kind: "shell", alsoAt: ["a:0.0"] } }, roles: { "a:0.0": "po" } },
    { events: [] },
  );
  test("[RG2] a team that nobody knows is refused", () => {
    expect(() => plan({ panes: { "b:0.0": {} }, only: "c" })).toThrow('there is no team "c"');
  });
});

describe("[RG3] each agent", () => {
  const right = { mark: "a:0.0 po", uuid: x };
  const rows = { roles: { "a:0.0": "po" }, sessions: { "a:0.0": x } };
  const cases: [string, Given, string[]][] = [
    ["that is right is no event", { panes: { "a:0.0": right }, ...rows }, []],
    ["by its title", { panes: { "a:0.0": { title: "✳ po", uuid: x } } }, [`agent.spawned a:0.0 po ${x}`]],
    ["whose session is not known yet", { panes: { "a:0.0": { title: "po" } } }, ["agent.spawned a:0.0 po -"]],
    [
      "whose session is known at last",
      { panes: { "a:0.0": right }, roles: rows.roles },
      [`agent.spawned a:0.0 po ${x}`],
    ],
    ["without its mark", { panes: { "a:0.0": { uuid: x } }, ...rows }, ["agent.spawned a:0.0 po -"]],
    [
      "with another session",
      { panes: { "a:0.0": { ...right, uuid: y } }, ...rows },
      [`session.changed a:0.0 ${x} ${y} unknown`],
    ],
    ["whose session cannot be told keeps its row", { panes: { "a:0.0": { mark: "a:0.0 po" } }, ...rows }, []],
    [
      "whose mark says another role than its row",
      { panes: { "a:0.0": { ...right, mark: "a:0.0 qa" } }, ...rows },
      ["agent.renamed a:0.0 po qa"],
    ],
    ["in a tmux session that is no team", { panes: { "b:0.0": { title: "po", uuid: x } } }, []],
    ["without a name", { panes: { "a:0.0": { title: "✳ Claude Code", uuid: x } } }, []],
    ["that ended keeps its rows", { panes: { "a:0.0": { kind: "shell", mark: "a:0.0 po" } }, ...rows }, []],
    [
      "that ended gets back the role that its mark knows",
      { panes: { "a:0.0": { kind: "shell", mark: "a:0.0 po" } }, sessions: rows.sessions },
      ["agent.spawned a:0.0 po -"],
    ],
    [
      "that ended and has no session to come back to is let go",
      { panes: { "a:0.0": { kind: "shell", mark: "a:0.0 po" } } },
      [],
    ],
    [
      "that ended is marked too",
      { panes: { "a:0.0": { kind: "shell" } }, ...rows },
      ["agent.spawned a:0.0 po -"],
    ],
    [
      "that ended with an earlier tmux session has no shell marked for it",
      {
        panes: { "a:0.0": { kind: "shell" }, "a:0.1": { kind: "shell", mark: "a:0.1 qa" } },
        ...rows,
        epoch: 99,
      },
      [],
    ],
    [
      "that is there again, in a later tmux session",
      {
        panes: { "a:0.0": { uuid: x, title: "po" }, "a:0.1": { kind: "shell", mark: "a:0.1 qa" } },
        ...rows,
        epoch: 99,
      },
      ["agent.spawned a:0.0 po -"],
    ],
    [
      "whose place is kept for another is left alone",
      {
        panes: { "a:0.0": { uuid: y, title: "dev" }, "a:0.1": { kind: "shell", mark: "a:0.1 qa" } },
        ...rows,
        epoch: 99,
      },
      [],
    ],
  ];
  for (const [title, given, events] of cases) check(`[RG3] one ${title}`, given, { events });

  check(
    "[RG3] a prompt in a title is no role: unnamed, said, and in S5 only (incident 3)",
    { panes: { "a:0.0": { title: "Read session/x and go on", uuid: x } } },
    { events: [], unnamed: ["a:0.0"], updated: 0, forkRows: [`a:0.0||${x}|stable`] },
  );
  check(
    "[RG3] agents of tmux sessions that are no teams are pointed out",
    { panes: { "b:0.0": { title: "po" }, "a:0.0": { kind: "shell" } } },
    { elsewhere: ["b"], forkRows: [], updated: 0 },
  );
});

check(
  "[RG4] one row for each agent pane, changed or not",
  {
    panes: {
      "a:0.0": { mark: "a:0.0 po", uuid: x },
      "a:0.1": { mark: "a:0.1 dev" },
      "a:0.2": { kind: "shell" },
      "b:0.0": { title: "qa" },
    },
    roles: { "a:0.0": "po", "a:0.1": "dev" },
    sessions: { "a:0.0": y },
  },
  { forkRows: [`a:0.0|po|${x}|stable`, "a:0.1|dev||unknown"], updated: 2 },
);

describe("[RG5] one session in two panes", () => {
  const panes = { "a:0.0": { mark: "a:0.0 po", uuid: x }, "b:0.0": { mark: "b:0.0 dev", uuid: x } };
  const roles = { "a:0.0": "po", "b:0.0": "dev" };
  check(
    "[RG5] is said with both, and stays with the pane that had it (incident 27)",
    { panes, roles, sessions: { "a:0.0": x, "b:0.0": y }, teams: ["a", "b"] },
    { events: [], warnings: [expect.stringContaining("a:0.0 and b:0.0")] },
  );
  check(
    "[RG5] is given to neither when none had it (incident 27)",
    { panes, roles },
    { events: [], warnings: [expect.stringContaining(x)] },
  );
});

check(
  "[RG6] broken sessions are counted, also of panes without an agent, and nothing is removed",
  {
    panes: {
      "a:0.0": { mark: "a:0.0 po", uuid: x, state: "broken" },
      "a:0.1": { kind: "shell", uuid: y, state: "broken" },
    },
    roles: { "a:0.0": "po" },
    sessions: { "a:0.0": x, "a:0.1": y },
  },
  { broken: 2, updated: 0, events: [], forkRows: [`a:0.0|po|${x}|broken`] },
);

describe("[RG7] what hooks saw between two refreshes", () => {
  const passed = id("c");
  const change = (old: string, next: string) =>
    ({ pane: "%0", old, new: next, cause: "clear", atMs: 5_000 }) as unknown as HookChange;
  const panes = { "a:0.0": { mark: "a:0.0 po", uuid: y } };
  const given = {
    panes,
    roles: { "a:0.0": "po" },
    sessions: { "a:0.0": x },
    changes: [change(x, passed), change(passed, y)],
  };
  check("[RG7] is written down", given, {
    events: [`session.changed a:0.0 ${x} ${y} clear`],
    forkRows: [`a:0.0|po|${passed}|stale`, `a:0.0|po|${y}|stable`],
  });
  const now = `a:0.0|po|${y}|stable`;
  const row = `1970-01-01T00:00:05Z|a:0.0|${passed}`;
  check("[RG7] but not a second time", { ...given, rows: [row] }, { forkRows: [now] });
  check(
    "[RG7] also of a session that S5 knows from another time, or another pane",
    { ...given, recorded: x, rows: [row.replace("05Z", "04Z"), row.replace("0.0", "0.1")] },
    { forkRows: [`a:0.0|po|${passed}|stale`, now] },
  );
});

describe("[RG8] reports that are used up", () => {
  const panes = { "a:0.0": { title: "po", uuid: x }, "b:0.0": { title: "qa", uuid: y } };
  const usedUp = [
    { name: "a.json", pane: "%0" as PaneId },
    { name: "b.json", pane: "%1" as PaneId },
    { name: "old.json", pane: null },
  ];
  check(
    "[RG8] of a tmux session that is no team are kept",
    { panes, usedUp },
    { usedUp: ["a.json", "old.json"] },
  );
  check(
    "[RG8] of a team that was not asked for are kept",
    { panes, usedUp, teams: ["a", "b"], only: "b" },
    { usedUp: ["b.json", "old.json"] },
  );
});
