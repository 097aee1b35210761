import { describe, expect, test } from "vitest";
import { agentRow, rosterOf, seated } from "../../test/fleet/made.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { Discovery } from "./identity/discover.js";
import { type HookClaim, noHooks } from "./identity/hook-claims.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { type Stored, viewTeams } from "./view.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const live = {
  sessionId: uuid,
  name: null,
  isNameSuffixed: false,
  cwd: null,
  version: null,
  activity: "busy",
  waitingFor: null,
  updatedAtMs: null,
} as const;

function pane(address: string, facts: Partial<FleetPane> = {}): FleetPane {
  const [sessionName, place] = [
    address.slice(0, address.lastIndexOf(":")),
    address.slice(address.lastIndexOf(":") + 1),
  ];
  const [windowIndex, paneIndex] = place.split(".").map(Number);
  const base = {
    id: "%1",
    address,
    alsoAt: [],
    sessionId: "$1",
    sessionName,
    windowIndex,
    paneIndex,
    kind: "shell",
    title: "",
    cwd: "",
    startPath: "",
    team: "",
  };
  return { ...base, dead: false, agent: null, live: null, process: null, ...facts } as unknown as FleetPane;
}

function fleet(...panes: FleetPane[]): Fleet {
  const index = { transcripts: [], byId: new Map(), problems: [], bytesRead: 0 };
  const found = ({ live }: FleetPane): Discovery => ({
    uuid: live?.sessionId ?? null,
    state: live ? "stable" : "unknown",
    title: null,
    evidence: [],
  });
  const sessions = new Map(panes.map((each) => [each.id, found(each)]));
  return {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: null,
    panes,
    roster: rosterOf(panes),
    hooks: noHooks,
    index,
    sessions,
  };
}

const nothing: Stored = {
  teams: [],
  activeTeam: null,
  queued: new Map(),
  windows: { ordinary: 200_000, large: 1_000_000 },
};

describe("every team and pane is shown once", () => {
  test("unregistered tmux sessions, and registered teams that do not run", () => {
    const stored = { ...nothing, teams: [{ team: "gone" as TeamName, description: "away" }] };
    const views = viewTeams(fleet(pane("b:0.1"), pane("b:0.0"), pane("a:1.0")), stored);
    expect(views.map(({ team, running, registered }) => [team, running, registered])).toEqual([
      ["a", true, false],
      ["b", true, false],
      ["gone", false, true],
    ]);
    expect(views[1]?.agents.map((agent) => agent.pane)).toEqual(["b:0.0", "b:0.1"]);
  });

  test("the tmux session that keeps sizes for the viewer is not a team", () => {
    const views = viewTeams(fleet(pane("hivemind-keeps-sizes:0.0"), pane("a:0.0")), nothing);
    expect(views.map(({ team }) => team)).toEqual(["a"]);
  });

  test("a tmux session whose name no store can hold is shown too", () => {
    expect(viewTeams(fleet(pane("my team:0.0")), nothing)).toMatchObject([
      { team: "my team", running: true },
    ]);
  });
});

test("a renamed team keeps its description, and its agents are where their panes are", () => {
  const [one, two] = [seated("new:0.1", "one"), seated("new:0.0", "two")];
  const stored = {
    ...nothing,
    teams: [{ team: "old" as TeamName, description: "d" }],
    activeTeam: "old" as TeamName,
    queued: new Map([[one.id, 3]]),
  };
  const seen = fleet(pane("new:0.0", { id: "%1", agent: two }), pane("new:0.1", { id: "%2", agent: one }));
  const renamed = [{ from: "old" as TeamName, to: "new" as TeamName }];
  const [view, ...others] = viewTeams({ ...seen, roster: { ...seen.roster, renamed } }, stored);
  expect(others).toEqual([]);
  expect(view).toMatchObject({ team: "new", registered: true, active: true, description: "d" });
  expect(view?.agents.map(({ role, queued }) => [role, queued])).toEqual([
    ["two", 0],
    ["one", 3],
  ]);
});

test("agents without a pane come after the panes of their team, with their queued messages", () => {
  const away = agentRow("a:0.7", "qa", { session: uuid });
  const server = { socket: "/t", pid: 11, startedAt: 1 };
  const elsewhere = seated("b:0.0", "ci", { seat: { server, pane: "%9" } });
  const seen = fleet(pane("a:0.0", { agent: seated("a:0.0", "po") }));
  const roster = rosterOf(seen.panes, [away, elsewhere]);
  const views = viewTeams({ ...seen, roster }, { ...nothing, queued: new Map([[away.id, 2]]) });
  expect(
    views.map(({ team, running, agents }) => [
      team,
      running,
      ...agents.map(({ pane: at, role, standing, queued }) => `${at} ${role} ${standing} ${queued}`),
    ]),
  ).toEqual([
    ["a", true, "a:0.0 po present 0", "a:0.7 qa away 2"],
    ["b", false, "b:0.0 ci elsewhere 0"],
  ]);
  expect(views[0]?.agents[1]).toMatchObject({
    agent: away.id,
    paneId: null,
    uuid,
    kind: "claude",
    activity: null,
  });
});

describe("unknown values are null", () => {
  test.each<[string, Partial<FleetPane>, object]>([
    ["a shell has no session, whatever the cache says", {}, { uuid: null, activity: "shell" }],
    [
      "a live agent has its own reported session",
      { kind: "claude", live },
      { uuid, activity: "busy", state: "stable" },
    ],
    ["an agent that reports nothing", { kind: "claude" }, { activity: "unknown" }],
    ["a dead pane", { dead: true }, { activity: "crashed" }],
  ])("%s", (_, facts, expected) => {
    const other = "00000000-0000-4000-8000-000000000000" as SessionId;
    const agent = seated("a:0.0", null, { session: other });
    expect(viewTeams(fleet(pane("a:0.0", { agent, ...facts })), nothing)[0]?.agents[0]).toMatchObject(
      expected,
    );
  });
});

test("an idle agent is shown with the findings on its screen and their end", () => {
  const idle = pane("a:0.0", { kind: "claude", live: { ...live, activity: "idle" } });
  const untilMs = Date.parse("2026-11-18T13:15:00Z");
  const screens = new Map([
    [idle.id, { activity: "limited", about: "weekly limit", untilMs, by: "seen" } as const],
  ]);
  expect(viewTeams(fleet(idle), nothing, screens)[0]?.agents[0]).toMatchObject({
    activity: "limited",
    about: "weekly limit",
    until: "2026-11-18T13:15:00Z",
    activityEvidence: [{ source: "registry" }, { source: "screen", chosen: true }],
  });
  expect(viewTeams(fleet(idle), nothing)[0]?.agents[0]).toMatchObject({ activity: "idle", until: null });
});

test("an agent without a registry entry is shown with its hooks' reports", () => {
  const silent = pane("a:0.0", { kind: "claude" });
  const hook = {
    activity: "waiting",
    waitingFor: "needs your permission",
    event: "Notification",
  } as HookClaim;
  const hooks = { ...noHooks, claims: new Map([[silent.id, hook]]) };
  expect(viewTeams({ ...fleet(silent), hooks }, nothing)[0]?.agents[0]).toMatchObject({
    activity: "waiting",
    waitingFor: "needs your permission",
    activityEvidence: [{ source: "hook", chosen: true }],
  });
});
