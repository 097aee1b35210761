import { describe, expect, test } from "vitest";
import { facts, row, saved, there, written } from "../../test/teams/made.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Role } from "../names/gates.js";
import { isNothingToDo, planRestore, type RestoreFacts } from "./restore-plan.js";

describe("a tmux session that only has the team's name", () => {
  const rows = [row("0.0"), row("0.1")];
  const sh = { kind: "shell", process: null, command: "sh", startCommand: "sh" } as const;
  const stored = () => ({ isEmpty: false, roles: new Map(), awaited: new Set<Role>() });
  const check = (pane: FleetPane, more: Partial<RestoreFacts> = {}) =>
    planRestore(saved(rows), facts(written(...rows), [[pane, null]], { stored, ...more }), false);

  test("[RS7] nobody is started while a person's shell stands where an agent belongs", () => {
    const plan = check(there("0.0", sh));
    expect(plan).toMatchObject({ shape: "barred", starts: [] });
    expect(plan.refused.map(({ pane, why }) => `${pane}: ${why}`)).toEqual([
      "web:0.0: web:0.0 runs sh",
      "web:0.1: not before web:0.0 is free",
    ]);
    expect(isNothingToDo(plan)).toBe(true);
  });

  const mark = { address: "web:0.0" as const, role: "r00" as Role };
  test.each<[string, FleetPane, Partial<RestoreFacts>]>([
    ["nothing is stored of the team", there("0.0", sh), { stored: facts([]).stored }],
    ["the team is back", there("0.0", { ...sh, mark }), {}],
    ["the pane was kept open", there("0.0", { ...sh, startCommand: "env cat" }), {}],
  ])("[RS7] the others are started where %s", (_, pane, more) => {
    const plan = check(pane, more);
    expect(plan.shape).toBe("complete");
    expect(plan.starts.at(-1)).toMatchObject({ saved: "web:0.1", pane: null });
  });

  test("[RS4] the hint leads to the server that was looked at", () => {
    const { fleet } = facts(written(...rows), [[there("0.0", sh), null]]);
    const server = { choice: { flags: ["-S", "/a b/sock"], isNamed: true } } as unknown as NonNullable<
      typeof fleet.server
    >;
    const plan = check(there("0.0", sh), { fleet: { ...fleet, server } });
    for (const { hint } of plan.refused)
      expect(hint).toBe("end it (tmux -S '/a b/sock' kill-pane -t %web:0.0), and restore again");
  });

  test("[PW1] panes that were kept open are not told apart by who stood at their addresses", () => {
    const open = { kind: "shell", process: null, startCommand: "env cat" } as const;
    const panes = [
      [there("0.0", open), rows[1]!.uuid],
      [there("0.1", open), rows[0]!.uuid],
    ] as const;
    const plan = planRestore(saved(rows), facts(written(...rows), panes, { stored }), false);
    expect(plan.starts.map(({ saved: at, pane }) => `${at} ${pane}`)).toEqual([
      "web:0.0 %web:0.0",
      "web:0.1 %web:0.1",
    ]);
  });
});
