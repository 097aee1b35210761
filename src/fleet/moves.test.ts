import { describe, expect, test } from "vitest";
import type { HiveEvent } from "../events/event.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../names/gates.js";
import { planMoves, refuseHeld, teamsConcerned } from "./moves.js";
import type { FleetPane } from "./panes.js";
import { findShifts } from "./shifts.js";

/** Where a marked pane stands, and where its mark says. */
type Placed = [address: string, marked: string];

const place = (address: string) => ({
  address,
  alsoAt: [],
  sessionName: address.slice(0, address.lastIndexOf(":")),
  sessionId: "$1" as const,
  team: "",
});

function check(title: string, placed: Placed[], teams: string[], only: string | undefined, expected: object) {
  test(title, () => {
    const shifts = findShifts(
      placed.map(([address, marked]) => ({
        ...place(address),
        mark: { address: marked as PaneAddress, role: "x" as Role },
      })),
    );
    const stored = {
      roles: placed.map(([, marked]) => ({
        pane: marked as PaneAddress,
        role: `was-${marked.replace(":", "-")}` as Role,
        epoch: null,
      })),
      sessions: [],
      teams: teams.map((team) => ({ team: team as TeamName, description: "" })),
    };
    const plan = planMoves(
      { server: null, panes: [], takenAtMs: 0, shifts },
      stored,
      only as TeamName | undefined,
    );
    expect({
      events: plan.events.map(spelled),
      rows: plan.rows.roles.map(({ pane, role }) => `${pane} ${role}`),
      teams: [...plan.teams],
      warnings: plan.warnings.length,
    }).toMatchObject(expected);
  });
}

function spelled(event: HiveEvent): string {
  if (event.name === "team.renamed") return `${event.old}>${event.new}`;
  if (event.name !== "panes.shifted") return event.name;
  return `${event.team}: ${event.moves.map(({ from, to }) => `${from}>${to}`).join(" ")}`;
}

describe("[MV1] a renamed tmux session", () => {
  check("[MV1] is one event", [["new:0.0", "old:0.0"]], ["old", "b"], undefined, {
    events: ["old>new"],
    rows: ["new:0.0 was-old-0.0"],
    teams: ["new", "b"],
  });
  check(
    "[MV1] with panes that changed places in it is two",
    [
      ["new:0.0", "old:0.1"],
      ["new:0.1", "old:0.0"],
      ["new:0.2", "old:0.2"],
    ],
    ["old"],
    undefined,
    {
      events: ["old>new", "new: new:0.1>new:0.0 new:0.0>new:0.1"],
      rows: ["new:0.0 was-old-0.1", "new:0.1 was-old-0.0", "new:0.2 was-old-0.2"],
    },
  );
  check(
    "[MV1] that took another team's name is said, and only its panes move",
    [["b:0.0", "a:0.0"]],
    ["a", "b"],
    undefined,
    {
      events: ["a: a:0.0>b:0.0"],
      rows: ["b:0.0 was-a-0.0"],
      teams: ["a", "b"],
      warnings: 1,
    },
  );
});

test("[MV1] a renamed team whose event was cut off behind the rows gets it again, and loses none", () => {
  const [address, marked] = ["new:0.0", "old:0.0"] as [PaneAddress, PaneAddress];
  const shifts = findShifts([{ ...place(address), mark: { address: marked, role: "x" as Role } }]);
  const roles = [{ pane: address, role: "x" as Role, epoch: null }];
  const teams = [{ team: "new" as TeamName, description: "" }];
  const plan = planMoves({ server: null, panes: [], takenAtMs: 0, shifts }, { roles, sessions: [], teams });
  expect([plan.events.map(spelled), plan.rows.roles]).toEqual([["old>new"], roles]);
});

describe("[MV2] what moved together", () => {
  check(
    "[MV2] a swap across teams is one event, and loses nothing",
    [
      ["a:0.0", "b:0.0"],
      ["b:0.0", "a:0.0"],
    ],
    ["a", "b"],
    undefined,
    { events: ["b: b:0.0>a:0.0 a:0.0>b:0.0"], rows: ["a:0.0 was-b-0.0", "b:0.0 was-a-0.0"] },
  );
  check(
    "[MV2] teams that have nothing to do with each other are two",
    [
      ["a:0.0", "a:0.1"],
      ["b:0.0", "b:0.1"],
    ],
    ["a", "b"],
    undefined,
    { events: ["a: a:0.1>a:0.0", "b: b:0.1>b:0.0"] },
  );
  check(
    "[MV2] two groups that a third move joins are one",
    [
      ["a:0.0", "a:0.1"],
      ["b:0.0", "b:0.1"],
      ["b:0.2", "a:0.2"],
    ],
    ["a"],
    undefined,
    { events: ["a: a:0.1>a:0.0 b:0.1>b:0.0 a:0.2>b:0.2"] },
  );
});

test("[MV4] the end of a pane whose place another one took is told, before the others close up", () => {
  const at = (pane: string) => pane as PaneAddress;
  const moved = new Map([
    [at("a:0.2"), at("a:0.1")],
    [at("a:0.3"), at("a:0.2")],
  ]);
  const roles = [0, 1, 2].map((pane) => ({ pane: at(`a:0.${pane}`), role: `r${pane}` as Role, epoch: null }));
  const stored = { roles, sessions: [], teams: [{ team: "a" as TeamName, description: "" }] };
  const { events, rows } = planMoves(
    { server: null, panes: [], takenAtMs: 0, shifts: { ...findShifts([]), moved } },
    stored,
  );
  expect(events.map(spelled)).toEqual(["agent.killed", "a: a:0.2>a:0.1 a:0.3>a:0.2"]);
  expect(events[0]).toMatchObject({ pane: "a:0.1" });
  expect(rows.roles.map(({ pane, role }) => `${pane} ${role}`)).toEqual(["a:0.0 r0", "a:0.1 r2"]);
});

test("[MV4] what waits there for who is brought back gives way, to a place that is nobody's", () => {
  const at = (pane: string) => pane as PaneAddress;
  const moved = new Map([
    [at("a:0.1"), at("a:0.0")],
    [at("b:0.0"), at("a:0.2")],
  ]);
  const earlier = { role: "po" as Role, epoch: 99 };
  const roles = [
    { pane: at("a:0.0"), ...earlier },
    { pane: at("a:0.1"), role: "fresh" as Role, epoch: 200 },
    { pane: at("a:0.2"), ...earlier, role: "dev" as Role },
    { pane: at("a:0.3"), ...earlier, role: "qa" as Role },
    { pane: at("b:0.0"), role: "guest" as Role, epoch: 200 },
  ];
  const stood = (address: string, sessionName = "a") =>
    ({
      ...place(address),
      sessionName,
      sessionCreatedMs: 100_000,
      mark: {},
      live: null,
      arguments: null,
    }) as unknown;
  const panes = ["a:0.0", "a:0.2", "a:0.4"].map((address) => stood(address) as FleetPane);
  const { events, rows } = planMoves(
    { server: null, panes, takenAtMs: 300_000, shifts: { ...findShifts([]), moved } },
    { roles, sessions: [], teams: [{ team: "a" as TeamName, description: "" }] },
  );
  expect(events.map(spelled)).toEqual(["a: a:0.1>a:0.0 b:0.0>a:0.2 a:0.0>a:0.5 a:0.2>a:0.6"]);
  expect(rows.roles.map(({ pane, role }) => `${pane} ${role}`)).toEqual([
    "a:0.5 po",
    "a:0.0 fresh",
    "a:0.6 dev",
    "a:0.3 qa",
    "a:0.2 guest",
  ]);
});

describe("[MV3] one team", () => {
  const placed: Placed[] = [
    ["a:0.0", "a:0.1"],
    ["b:0.0", "b:0.1"],
    ["a2:0.0", "a2:0.1"],
  ];
  check("[MV3] leaves the others alone (incident 11)", placed, ["a", "b", "a2"], "a", {
    events: ["a: a:0.1>a:0.0"],
    rows: ["a:0.0 was-a-0.1", "b:0.1 was-b-0.1", "a2:0.1 was-a2-0.1"],
    teams: ["a"],
  });
  check("[MV3] may be named as it was called", [["new:0.0", "old:0.0"]], ["old"], "old", {
    events: ["old>new"],
    teams: ["new"],
  });
  check("[MV3] may be named as it is called", [["new:0.0", "old:0.0"]], ["old"], "new", {
    events: ["old>new"],
    teams: ["new"],
  });
});

test("[MV5] of all teams those are concerned that run, and that panes came from or went to", () => {
  const teams = ["a", "asleep", "linked", "left", "was", "now"] as TeamName[];
  const panes = [
    { address: "a:0.0", alsoAt: ["linked:0.0"] },
    { address: "now:0.0", alsoAt: [] },
    { address: "not registered:0.0", alsoAt: [] },
  ] as unknown as FleetPane[];
  const moved = new Map([["was:0.0", "now:0.0"] as [PaneAddress, PaneAddress]]);
  const concerned = teamsConcerned({ panes, shifts: { ...findShifts([]), moved } }, teams);
  expect(concerned).toEqual(["a", "linked", "was", "now"]);
});

describe("[MV6] a name that is only borrowed", () => {
  const at = (pane: string) => pane as PaneAddress;
  const marked = (address: string, mark: string) => ({
    ...place(address),
    mark: { address: at(mark), role: "x" as Role },
  });
  const panes = [marked("beta:0.0", "alpha:0.0"), marked("c:0.0", "c:0.1")];
  const stored = {
    roles: ["alpha:0.0", "beta:0.0", "beta:0.1", "c:0.1"].map((pane) => ({
      pane: at(pane),
      role: "x" as Role,
      epoch: null,
    })),
    sessions: [{ pane: at("beta:0.1"), uuid: "" as SessionId }],
    teams: ["alpha", "beta", "c"].map((team) => ({ team: team as TeamName, description: "" })),
  };
  const shifts = findShifts(panes, () => stored);
  const words = "panes of alpha stand in a tmux session beta, which is the name of a team that does not run";
  const hint = "tmux rename-session -t '=beta' NAME, or forget that team: hivemind team remove beta";

  test.each([
    [undefined, ["c: c:0.1>c:0.0"], ["c"], 1],
    ["alpha", [], [], 1],
    ["beta", [], [], 1],
    ["c", ["c: c:0.1>c:0.0"], ["c"], 0],
  ])("[MV6] is not followed, and costs nobody a row: asked for %s", (only, events, teams, warnings) => {
    const plan = planMoves(
      { server: null, panes: [], takenAtMs: 0, shifts },
      stored,
      only as TeamName | undefined,
    );
    expect([plan.events.map(spelled), [...plan.teams]]).toEqual([events, teams]);
    const kept = plan.rows.roles.map(({ pane }) => pane).filter((pane) => !pane.startsWith("c:"));
    expect([kept, plan.rows.sessions]).toEqual([["alpha:0.0", "beta:0.0", "beta:0.1"], stored.sessions]);
    expect(plan.warnings).toEqual(Array(warnings).fill(`${words}: nothing is written for them; ${hint}`));
  });

  test("[MV6] bars what would be written for either team", () => {
    for (const team of ["alpha", "beta"])
      expect(() => refuseHeld({ shifts, server: null }, team as TeamName)).toThrow(
        expect.objectContaining({ message: words, hint }),
      );
    refuseHeld({ shifts, server: null }, "c" as TeamName);
  });
});
