import { expect, test } from "vitest";
import type { LiveSession, ReportedActivity } from "../../agents/agent.js";
import type { SessionId } from "../../names/gates.js";
import { witnessed } from "./witness.js";

const own = "11111111-0000-4000-8000-000000000001" as SessionId;
const other = "22222222-0000-4000-8000-000000000002" as SessionId;

const fileOf = (sessionId: SessionId, shared?: LiveSession["shared"]): LiveSession => ({
  sessionId,
  name: null,
  isNameSuffixed: false,
  cwd: "/srv",
  version: null,
  activity: null,
  waitingFor: null,
  updatedAtMs: null,
  ...(shared ? { shared } : {}),
});
const hook = (sessionId: SessionId, activity: ReportedActivity | null = null) => ({ sessionId, activity });

test.each<[string, SessionId, ReturnType<typeof hook> | null, SessionId | null, SessionId | null]>([
  ["[WIT1] a report that agrees", own, hook(own), null, own],
  ["[WIT1] a report that names another session", other, hook(own), other, own],
  ["[WIT2] the arguments agree", own, null, own, own],
  ["[WIT3] the arguments name another session", other, null, own, null],
  ["[WIT3] nothing else names one", own, null, null, null],
])("%s", (_, inFile, report, began, expected) => {
  const found = witnessed(fileOf(inFile, { activity: "idle" }), report, began);
  expect(found.live?.sessionId ?? null).toBe(expected);
  expect(found.claimed).toBe(inFile);
});

test.each<[ReportedActivity | null, ReportedActivity | null, ReportedActivity | null]>([
  ["idle", "idle", "idle"],
  ["idle", "busy", null],
  ["idle", null, null],
  ["waiting", "idle", null],
])("[WIT4] the file says %s, the report %s: %s", (inFile, reported, expected) => {
  const { live } = witnessed(fileOf(own, { activity: inFile }), hook(own, reported), null);
  expect(live!.activity).toBe(expected);
});

test("a file that no other client can have written needs no witness", () => {
  const live = fileOf(own);
  expect(witnessed(live, hook(other), other)).toEqual({ live });
  expect(witnessed(null, null, own)).toEqual({ live: null });
});

test("[WIT3] a file that another client removed claims nothing", () => {
  expect(witnessed(null, null, own, true)).toEqual({ live: null, claimed: null });
});
