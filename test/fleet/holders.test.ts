import { expect, test } from "vitest";
import type { Discovery, EvidenceSource } from "../../src/fleet/identity/discover.js";
import { heldSessions } from "../../src/fleet/identity/holders.js";
import type { PaneId, SessionId } from "../../src/names/gates.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { testHome, until } from "../home.js";
import { fleetGiven, id } from "../reconcile/made.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;

test("a running agent holds its discovered session, and not one that only S2 has", () => {
  const fleet = fleetGiven({ panes: { "a:0.0": {}, "a:0.1": {}, "a:0.2": { kind: "shell" } } });
  const found = (source: EvidenceSource, letter: string): Discovery => ({
    ...{ uuid: id(letter), state: "stable", title: null },
    evidence: [{ source, uuid: id(letter), chosen: true, ambiguous: false, reason: "" }],
  });
  const sessions = new Map<PaneId, Discovery>([
    ["%0", found("registry", "a")],
    ["%1", found("cache", "b")],
    ["%2", found("registry", "c")],
  ]);
  expect([...heldSessions({ ...fleet, sessions }, { folders: [] })]).toEqual([id("a")]);
});

test("a process outside this tmux server holds its session until it ends", async () => {
  const home = testHome();
  startAgents(home, "elsewhere", ["--session-id", session, "-n", "po"]);
  await idleAgents(home, 1);
  const held = () => [
    ...heldSessions(fleetGiven({}), { folders: [{ kind: "claude", folder: home.claude }] }),
  ];
  // Its arguments show the session before its registry file does.
  await until("its registry file", () => held().length > 0);
  expect(held()).toEqual([session]);
  process.kill(Number(home.tmux("list-panes", "-a", "-F", "#{pane_pid}")), "SIGKILL");
  await until("its end", () => held().length === 0);
});
