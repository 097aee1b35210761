import { describe, expect, test } from "vitest";
import { agentRow, madeServer, fleetOf as makeFleet, pane, seated } from "../../../test/fleet/made.js";
import { nameInTitle } from "../../agents/all.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneId, SessionId, TeamName } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { SessionState } from "../identity/discover.js";
import { type HookChange, type HookFindings, noHooks } from "../identity/hook-claims.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { planRefresh, withFound } from "./refresh.js";

const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;
const [x, y] = [id("a"), id("b")] as const;

interface Agent {
  title?: string;
  /** Its role in the roster, `-` for none; if missing, no known agent is in the pane. */
  known?: string;
  /** Its session in the roster. */
  had?: SessionId;
  uuid?: SessionId;
  state?: SessionState;
  kind?: FleetPane["kind"];
}

interface Given {
  /** The hooks' reports for the first pane. */
  changes?: readonly HookChange[];
  usedUp?: HookFindings["usedUp"];
  /** The parent in S5, for any session. */
  recorded?: SessionId;
  /** Rows that S5 has: `at|pane|uuid`. */
  rows?: string[];
  panes: Record<string, Agent>;
  /** Agents without a pane here. */
  absent?: AgentRow[];
  teams?: string[];
  only?: string;
}

function fleetOf({ panes, absent = [], changes = [], usedUp = [] }: Given): Fleet {
  const found = Object.entries(panes).map(([address, agent], at) => {
    const { title = "", known, had = null, kind = "claude", uuid = null } = agent;
    const paneId = `%${at}` as PaneId;
    const facts = { session: had, seat: { server: madeServer, pane: paneId } };
    const seen = pane(address, {
      id: paneId,
      title,
      name: nameInTitle(title),
      kind,
      agent:
        known === undefined ? null : seated(address.replace(" ", "_"), known === "-" ? null : known, facts),
    });
    return [seen, uuid, agent.state ?? (uuid ? "stable" : "unknown")] as const;
  });
  const made = makeFleet(
    [],
    found.map((each) => [...each]),
    absent,
  );
  return { ...made, hooks: { ...noHooks, changes, usedUp } };
}

function plan(given: Given) {
  const { teams = ["a"], only, recorded = null, rows = [] } = given;
  const fleet = fleetOf(given);
  const made = planRefresh(
    fleet,
    {
      teams: teams.map((team) => ({ team: team as TeamName, description: "" })),
      recordedParent: () => recorded,
      isRecorded: (...row) => rows.includes(row.join("|")),
    },
    { nowMs: 0, hostName: "box", ...(only ? { team: only as TeamName } : {}) },
  );
  const { agents, causes } = withFound(fleet.roster.agents, made.found, {
    server: madeServer,
    nowMs: 0,
    newId: () => "newaaaaaaa" as AgentId,
  });
  const isSame = (agent: AgentRow) =>
    fleet.roster.agents.some((each) => JSON.stringify(each) === JSON.stringify(agent));
  return {
    ...made,
    changed: agents
      .filter((agent) => !isSame(agent))
      .map(({ id: agent, role, session, seat }) => {
        const what = agent.startsWith("new") ? "new" : (causes.get(agent) ?? "?");
        return `${what} ${role ?? "-"} ${session?.[0] ?? "-"} ${seat?.pane ?? "-"}`;
      }),
    unnamed: made.unnamed.map(({ pane: at }) => at),
    forkRows: made.forkRows.map(({ pane: at, role, uuid, state }) => [at, role, uuid, state].join("|")),
  };
}

const check = (title: string, given: Given, expected: object) =>
  test(title, () => expect(plan(given)).toMatchObject(expected));

describe("the panes that are looked at", () => {
  const named = { title: "po", uuid: x };
  const panes = { "a:0.0": named, "a2:0.0": { title: "qa", uuid: y }, "b:0.0": { title: "ux" } };
  check(
    "those of registered teams (incident 11)",
    { panes },
    { changed: ["new po a %0"], elsewhere: ["a2", "b"] },
  );
  check(
    "only those of the given team (incident 5)",
    { panes, teams: ["a", "b"], only: "b" },
    { changed: ["new ux - %2"], elsewhere: [] },
  );
  check(
    "none of a team that runs on another server",
    {
      panes: { "a:0.0": named },
      absent: [seated("a:0.5", "dev", { seat: { server: { ...madeServer, pid: 11 }, pane: "%9" } })],
    },
    { changed: [], forkRows: [] },
  );
  check(
    "the agents of the roster in a tmux session that is not a team",
    {
      panes: {
        "b:0.0": { title: "qa", known: "po", had: x, uuid: y },
        "b:0.1": { title: "ux", known: "-", had: x },
        "no team:0.0": { title: "dev", known: "dev", had: y, uuid: x },
      },
    },
    {
      changed: ["unknown po b %0", "unknown dev a %2"],
      forkRows: [`b:0.0|po|${y}|stable`, "b:0.1|||unknown", `|dev|${x}|stable`],
      elsewhere: ["b"],
      updated: 0,
    },
  );
  check(
    "but not if another team was requested",
    { panes: { "b:0.0": { known: "po", had: x, uuid: y }, "a:0.0": {} }, only: "a" },
    { changed: [] },
  );
  check("none if the team does not run", { panes: {}, teams: ["a", "b"] }, { changed: [], forkRows: [] });
  test("those of a team renamed since the stores were written", () => {
    const fleet = fleetOf({ panes: { "net:0.0": named } });
    const renamed = [{ from: "a" as TeamName, to: "net" as TeamName }];
    const stored = { teams: [{ team: "a" as TeamName, description: "" }], recordedParent: () => null };
    const roster = { ...fleet.roster, renamed };
    const { found, elsewhere } = planRefresh({ ...fleet, roster }, stored, { nowMs: 0, hostName: "box" });
    expect([found.map(({ role }) => role), elsewhere]).toEqual([["po"], []]);
  });
  test("an unknown team is refused", () => {
    expect(() => plan({ panes: { "b:0.0": {} }, only: "c" })).toThrow('there is no team "c"');
  });
});

describe("the panes that get an agent", () => {
  check(
    "a pane by its title",
    { panes: { "a:0.0": { title: "✳ po", uuid: x } } },
    { changed: ["new po a %0"] },
  );
  check(
    "a pane whose session is unknown yet",
    { panes: { "a:0.0": { title: "po" } } },
    { changed: ["new po - %0"] },
  );
  check(
    "an agent without a role gets the one in its title",
    { panes: { "a:0.0": { title: "po", known: "-", uuid: x } } },
    { changed: ["unknown po a %0"] },
  );
  check(
    "not the role of an away agent of the team",
    { panes: { "a:0.0": { title: "po" } }, absent: [agentRow("a:0.5", "po")] },
    { changed: [], unnamed: ["a:0.0"] },
  );
  check(
    "a prompt in a title is not a role: unnamed, reported, and in S5 only (incident 3)",
    { panes: { "a:0.0": { title: "Read session/x and go on", uuid: x } } },
    { changed: [], unnamed: ["a:0.0"], updated: 0, forkRows: [`a:0.0||${x}|stable`] },
  );
  check("no shell", { panes: { "a:0.0": { title: "po", kind: "shell" } } }, { changed: [], forkRows: [] });
});

describe("the session of an agent", () => {
  const cases: [string, Agent, string[]][] = [
    ["is right", { known: "po", had: x, uuid: x }, []],
    ["is known at last", { known: "po", uuid: x }, ["unknown po a %0"]],
    ["is another one", { known: "po", had: x, uuid: y }, ["unknown po b %0"]],
    ["cannot be told, and stays", { known: "po", had: x }, []],
    ["stays with an agent that ended", { known: "po", had: x, kind: "shell" }, []],
    ["is that of an agent without a role too", { known: "-", had: x, uuid: y }, ["unknown - b %0"]],
  ];
  for (const [title, agent, changed] of cases) check(`${title}`, { panes: { "a:0.0": agent } }, { changed });
});

check(
  "one row of S5 per agent pane, changed or not",
  {
    panes: {
      "a:0.0": { known: "po", had: y, uuid: x },
      "a:0.1": { known: "dev" },
      "a:0.2": { kind: "shell" },
      "b:0.0": { title: "qa" },
    },
  },
  { forkRows: [`a:0.0|po|${x}|stable`, "a:0.1|dev||unknown"], updated: 2 },
);

describe("one session in two panes", () => {
  const doubled = (had: SessionId[]) => ({
    "a:0.0": { known: "po", uuid: x, ...(had[0] && { had: had[0] }) },
    "b:0.0": { known: "dev", uuid: x, ...(had[1] && { had: had[1] }) },
  });
  check(
    "is reported with both, and stays with the agent that had it (incident 27)",
    { panes: doubled([x, y]), teams: ["a", "b"] },
    { changed: [], warnings: [expect.stringContaining("a:0.0 and b:0.0")] },
  );
  check(
    "is given to neither if none had it (incident 27)",
    { panes: doubled([]) },
    { changed: [], warnings: [expect.stringContaining(x)] },
  );
});

check(
  "broken sessions are counted, also in panes without an agent, and nothing is removed",
  {
    panes: {
      "a:0.0": { known: "po", had: x, uuid: x, state: "broken" },
      "a:0.1": { kind: "shell", uuid: y, state: "broken" },
    },
  },
  { broken: 2, updated: 0, changed: [], forkRows: [`a:0.0|po|${x}|broken`] },
);

describe("sessions that hooks saw between two refreshes", () => {
  const passed = id("c");
  const change = (old: string, next: string) =>
    ({ pane: "%0", old, new: next, cause: "clear", atMs: 5_000 }) as unknown as HookChange;
  const given = {
    panes: { "a:0.0": { known: "po", had: x, uuid: y } },
    changes: [change(x, passed), change(passed, y)],
  };
  check("are recorded", given, {
    changed: ["clear po b %0"],
    forkRows: [`a:0.0|po|${passed}|stale`, `a:0.0|po|${y}|stable`],
  });
  const now = `a:0.0|po|${y}|stable`;
  const row = `1970-01-01T00:00:05Z|a:0.0|${passed}`;
  check("but only once", { ...given, rows: [row] }, { forkRows: [now] });
  check(
    "also if S5 has the session for another time or another pane",
    { ...given, recorded: x, rows: [row.replace("05Z", "04Z"), row.replace("0.0", "0.1")] },
    { forkRows: [`a:0.0|po|${passed}|stale`, now] },
  );
});

describe("used-up reports", () => {
  const panes = { "a:0.0": { title: "po", uuid: x }, "b:0.0": { title: "qa", uuid: y } };
  const usedUp = [
    { name: "a.json", pane: "%0" as PaneId },
    { name: "b.json", pane: "%1" as PaneId },
    { name: "old.json", pane: null },
  ];
  check(
    "of a tmux session that is not a team are kept",
    { panes, usedUp },
    { usedUp: ["a.json", "old.json"] },
  );
  check(
    "of a team that was not requested are kept",
    { panes, usedUp, teams: ["a", "b"], only: "b" },
    { usedUp: ["b.json", "old.json"] },
  );
});

test("a second refresh of the same fleet changes nothing", () => {
  const fleet = fleetOf({
    panes: { "a:0.0": { title: "po", uuid: x }, "a:0.1": { known: "-", had: y, uuid: x } },
  });
  const refreshed = (agents: readonly AgentRow[]) => {
    const stored = { teams: [{ team: "a" as TeamName, description: "" }], recordedParent: () => null };
    const { found } = planRefresh(fleet, stored, { nowMs: 0, hostName: "box" });
    return withFound(agents, found, { server: madeServer, nowMs: 0 }).agents;
  };
  const once = refreshed(fleet.roster.agents);
  expect(once).not.toEqual(fleet.roster.agents);
  expect(refreshed(once)).toEqual(once);
});

test("problems in the roster are reported to the user", () => {
  const fleet = fleetOf({ panes: { "a:0.0": { known: "po", uuid: x } } });
  const [po] = fleet.roster.agents;
  const lost = agentRow("a:0.1", null);
  const roster = {
    ...fleet.roster,
    refused: [{ pane: "a:0.4" as const, why: "a:0.0 already has the role po" }],
    roleless: [{ agent: lost, role: po!.role!, holder: po! }],
    doubles: [{ session: x, pane: "%7" as PaneId, holder: po! }],
  };
  const stored = { teams: [], recordedParent: () => null };
  expect(planRefresh({ ...fleet, roster }, stored, { nowMs: 0, hostName: "box" }).warnings).toEqual([
    "ignored the row of a:0.4: a:0.0 already has the role po",
    `a:0.1 lost the role po to a:0.0: hivemind agent rename @${lost.id} NAME`,
    `%7 shows session ${x}, which belongs to po`,
  ]);
});
