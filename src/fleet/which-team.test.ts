import { expect, test } from "vitest";
import type { TeamName } from "../names/gates.js";
import type { FleetPane } from "./panes.js";
import { runningTeam, whichTeam } from "./which-team.js";

const pane = (sessionName: string) => ({ sessionName }) as FleetPane;
const fleet = { panes: [pane("beta"), pane("alpha"), pane("alpha")] };
const active = (name: string) => name as TeamName;

test.each([
  ["the caller's own tmux session", pane("beta"), active("alpha"), "beta"],
  ["the active team", null, active("alpha"), "alpha"],
])("it is %s", (_, own, name, expected) => {
  expect(whichTeam(fleet, { own, active: name })).toBe(expected);
});

test.each([
  ["no team is active", null, "which team?"],
  [
    "the active team is not running (incident 4)",
    active("gone"),
    "which team? (the active team, gone, is not running)",
  ],
])("with a list of the teams, it is an error if %s", (_, name, message) => {
  expect(() => whichTeam(fleet, { own: null, active: name })).toThrow(
    expect.objectContaining({
      message,
      hint: "running teams: alpha, beta; choose one for all commands: hivemind team switch alpha",
    }),
  );
});

test("a given team must run under exactly this name (incident 58)", () => {
  expect(runningTeam(fleet, "alpha")).toBe("alpha");
  expect(() => runningTeam(fleet, "alph")).toThrow(
    expect.objectContaining({ hint: "running teams: alpha, beta" }),
  );
  expect(() => runningTeam({ panes: [] }, "alpha")).toThrow(
    expect.objectContaining({ hint: "hivemind team list" }),
  );
});
