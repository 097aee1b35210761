import { describe, expect, test } from "vitest";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import type { Discovery } from "./discover.js";
import { type HookClaim, noHooks } from "./hook-claims.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { findShifts } from "./shifts.js";
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
  return { ...base, dead: false, mark: null, live: null, process: null, ...facts } as unknown as FleetPane;
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
    shifts: findShifts(panes),
    hooks: noHooks,
    index,
    sessions,
  };
}

const nothing: Stored = {
  roles: [],
  sessions: [],
  teams: [],
  activeTeam: null,
  queued: new Map(),
  windows: { ordinary: 200_000, large: 1_000_000 },
};
const role = (address: string, name: string) => ({
  pane: address as PaneAddress,
  role: name as Role,
  epoch: null,
});

describe("[VI1] every team and pane is shown once", () => {
  test("[VI1] unregistered tmux sessions, and registered teams that do not run", () => {
    const stored = { ...nothing, teams: [{ team: "gone" as TeamName, description: "away" }] };
    const views = viewTeams(fleet(pane("b:0.1"), pane("b:0.0"), pane("a:1.0")), stored);
    expect(views.map(({ team, running, registered }) => [team, running, registered])).toEqual([
      ["a", true, false],
      ["b", true, false],
      ["gone", false, true],
    ]);
    expect(views[1]?.agents.map((agent) => agent.pane)).toEqual(["b:0.0", "b:0.1"]);
  });

  test("[VI1] the tmux session that keeps sizes for the viewer is nobody's team", () => {
    const views = viewTeams(fleet(pane("hivemind-keeps-sizes:0.0"), pane("a:0.0")), nothing);
    expect(views.map(({ team }) => team)).toEqual(["a"]);
  });

  test("[VI1] a tmux session of a name that no store can hold is shown too", () => {
    expect(viewTeams(fleet(pane("my team:0.0")), nothing)).toMatchObject([
      { team: "my team", running: true },
    ]);
  });
});

test("[VI2] rows follow their panes through a swap and a renamed team", () => {
  const marked = (address: string, was: string, is: string) =>
    pane(address, { mark: { address: was as PaneAddress, role: is as Role } });
  const stored = {
    ...nothing,
    roles: [role("old:0.0", "one"), role("old:0.1", "two")],
    teams: [{ team: "old" as TeamName, description: "d" }],
    activeTeam: "old" as TeamName,
    queued: new Map([["new:0.1" as PaneAddress, ["a", "b", "c"]]]),
  };
  const [view, ...others] = viewTeams(
    fleet(marked("new:0.0", "old:0.1", "two"), marked("new:0.1", "old:0.0", "one")),
    stored,
  );
  expect(others).toEqual([]);
  expect(view).toMatchObject({ team: "new", registered: true, active: true, description: "d" });
  expect(view?.agents.map(({ role, queued }) => [role, queued])).toEqual([
    ["two", 0],
    ["one", 3],
  ]);
});

test("[VI2] a pane's mark comes before a row, and a row that another pane's mark speaks for is not shown", () => {
  const mark = { address: "a:0.0" as PaneAddress, role: "dev" as Role };
  const shownIn = (...panes: FleetPane[]) =>
    viewTeams(fleet(...panes), { ...nothing, roles: [role("a:0.0", "edited")] }).flatMap(({ agents }) =>
      agents.map(({ pane: address, role }) => `${address} ${role}`),
    );
  expect(shownIn(pane("a:0.0", { mark }))).toEqual(["a:0.0 dev"]);
  expect(shownIn(pane("a:0.0"))).toEqual(["a:0.0 edited"]);
  expect(shownIn(pane("a:0.0"), pane("no team:0.3", { mark }))).toEqual(["a:0.0 null", "no team:0.3 dev"]);
});

describe("[VI3] what is not known is null", () => {
  test.each<[string, Partial<FleetPane>, object]>([
    ["a shell has no session, whatever the cache says", {}, { uuid: null, activity: "shell" }],
    [
      "a live agent is what it says it is",
      { kind: "claude", live },
      { uuid, activity: "busy", state: "stable" },
    ],
    ["an agent that says nothing", { kind: "claude" }, { activity: "unknown" }],
    ["a dead pane", { dead: true }, { activity: "crashed" }],
  ])("[VI3] %s", (_, facts, expected) => {
    const other = "00000000-0000-4000-8000-000000000000" as SessionId;
    const stored = { ...nothing, sessions: [{ pane: "a:0.0" as PaneAddress, uuid: other }] };
    expect(viewTeams(fleet(pane("a:0.0", facts)), stored)[0]?.agents[0]).toMatchObject(expected);
  });
});

test("[VI4] an idle agent is shown with what its screen tells, and when that ends", () => {
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

test("[VI4] an agent without a registry is shown with what its hooks reported", () => {
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
