import { expect, test } from "vitest";
import type { Role, TeamName } from "../names/gates.js";
import { type RunningPane, runningTeam } from "./running-team.js";

const at = { team: "web4" as TeamName, folder: "/srv/web4", project: "web4", layout: null, adopts: false };
const pane = (role: string | null, given: Partial<RunningPane> = {}): RunningPane => ({
  window: 0,
  pane: 0,
  role: role as Role | null,
  kind: "claude",
  cwd: "/srv/web4",
  model: "",
  ...given,
});

test("agents with their folders, models and kinds", () => {
  const { team, leftOut } = runningTeam(
    [
      pane("lead", { model: "claude-opus-4-8[1m]" }),
      pane("dev", { pane: 1, kind: "demo", cwd: "" }),
      pane("console", { pane: 2, kind: "shell", cwd: "/tmp", model: "x" }),
    ],
    at,
  );
  expect(team.agents).toMatchObject([
    { id: "lead", kind: "claude", cwd: "/srv/web4", model: "claude-opus-4-8[1m]" },
    { id: "dev", kind: "demo", cwd: "/srv/web4", model: null },
    { id: "console", kind: "shell", cwd: "/tmp", model: null },
  ]);
  expect(leftOut).toEqual([]);
});

test("agents left out are reported; a shell without a role is ignored", () => {
  const panes = [
    pane("lead"),
    pane(null, { pane: 1 }),
    pane(null, { pane: 2, kind: "shell" }),
    pane("old", { kind: "claw" }),
    pane(null, { pane: 4, kind: "monitor" }),
    pane("lead", { pane: 5 }),
  ];
  const { team, leftOut } = runningTeam(panes, at);
  expect(team.agents.map(({ id }) => id)).toEqual(["lead"]);
  expect(leftOut).toEqual([
    "web4:0.1 has no role: hivemind agent adopt web4:0.1",
    "old is a claw, which a team file does not start",
    "web4:0.5 has the role lead too: hivemind agent rename web4:0.5 ROLE",
  ]);
});

test.each([
  ["one window", [0, 0], "tiled"],
  ["one window each", [0, 1], "windows"],
  ["one agent", [0], "tiled"],
  ["two in one of two windows", [0, 0, 1], "tiled"],
])("%s: %j is %s", (_, windows, layout) => {
  const panes = windows.map((window, each) => pane(`a${each}`, { window }));
  expect(runningTeam(panes, at).team.layout).toBe(layout);
});
