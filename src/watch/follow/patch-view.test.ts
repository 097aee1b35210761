import { expect, test } from "vitest";
import type { Reread } from "../../fleet/activity/reread.js";
import type { AgentView, TeamView } from "../../fleet/view.js";
import type { Attention } from "../../hive/attention.js";
import type { FleetView } from "../../hive/view-fleet.js";
import { patchedAttention, patchedFleet } from "./patch-view.js";

const agent = (paneId: string | null) =>
  ({ paneId, activity: "idle", model: "m", lastWords: "old" }) as AgentView;
const team = (...agents: AgentView[]) => ({ team: "web", agents }) as TeamView;
const doing = (facts: Partial<Reread>) =>
  ({ since: null, waitingFor: null, about: null, until: null, activityEvidence: [], ...facts }) as Reread;

test("only the agent that reported changes; all else is the same value", () => {
  const [one, two, away] = [agent("%1"), agent("%2"), agent(null)];
  const fleet: FleetView = { teams: [team(one, two, away), team(agent("%3"))], background: [] };
  const patched = patchedFleet(fleet, new Map([["%2", doing({ activity: "busy" })]]));
  expect(patched.teams[0]!.agents[1]).toMatchObject({ activity: "busy", model: "m", lastWords: "old" });
  expect(patched.teams[0]!.agents[0]).toBe(one);
  expect(patched.teams[0]!.agents[2]).toBe(away);
  expect(patched.teams[1]).toBe(fleet.teams[1]);
});

test("the last words of a finished turn replace the older ones", () => {
  const fleet: FleetView = { teams: [team(agent("%1"))], background: [] };
  const patched = patchedFleet(fleet, new Map([["%1", doing({ activity: "idle", lastWords: "new" })]]));
  expect(patched.teams[0]!.agents[0]!.lastWords).toBe("new");
});

test("an agent that went on no longer waits; requests and other agents stay", () => {
  const item = (kind: string, paneId: string | null) => ({ kind, paneId }) as Attention;
  const [request, other, job] = [item("request", "%1"), item("dialog", "%2"), item("dialog", null)];
  const attention = [request, item("dialog", "%1"), item("error", "%1"), other, job, item("message", "%1")];
  const patches = new Map([["%1", doing({ activity: "busy" })]]);
  expect(patchedAttention(attention, patches)).toEqual([request, other, job, item("message", "%1")]);
  expect(patchedAttention(attention, new Map())).toBe(attention);
});
