import { expect, test } from "vitest";
import type { LiveSession, SeenActivity } from "../../agents/agent.js";
import type { HookClaim } from "../identity/hook-claims.js";
import type { FleetPane } from "../panes.js";
import { activityOf, isOpenToScreen } from "./activity.js";

type Pane = Parameters<typeof activityOf>[0];
const agent: Pane = { dead: false, deadStatus: null, kind: "claude", live: null };

function saying(activity: LiveSession["activity"], facts: Partial<LiveSession> = {}): Pane {
  return { ...agent, live: { activity, waitingFor: null, ...facts } as LiveSession };
}

function reported(activity: HookClaim["activity"], waitingFor: string | null = null): HookClaim {
  return { activity, waitingFor, event: "Stop" } as HookClaim;
}

function showing(
  activity: SeenActivity["activity"],
  about: string | null = null,
  untilMs = null,
): SeenActivity {
  return { activity, about, untilMs, by: "seen" };
}

test.each<[string, Pane, string]>([
  ["a program that failed", { ...agent, dead: true, deadStatus: 1 }, "crashed"],
  ["a program that a signal ended", { ...agent, dead: true }, "crashed"],
  ["a program that ended normally", { ...agent, dead: true, deadStatus: 0 }, "shell"],
  ["no agent", { ...agent, kind: "shell" }, "shell"],
  ["the viewer", { ...agent, kind: "monitor" }, "shell"],
  ["an agent without a registry", agent, "unknown"],
  ["an agent that reports nothing", saying(null), "unknown"],
  ["idle", saying("idle"), "idle"],
  ["busy", saying("busy"), "busy"],
  ["waiting", saying("waiting"), "waiting"],
])("%s", (_, pane, expected) => expect(activityOf(pane).activity).toBe(expected));

test("a client with background work is busy, and its box is free (incident 53)", () => {
  const busy = saying("busy", { isInBackground: true });
  expect(activityOf(busy, null, showing("idle"))).toMatchObject({ activity: "busy", isInBackground: true });
});

test.each<[string, Pane, HookClaim | null, SeenActivity | null | undefined, string]>([
  ["busy by the registry, whatever the screen shows", saying("busy"), null, showing("idle"), "busy registry"],
  ["waiting by the registry", saying("waiting"), null, showing("limited"), "waiting registry"],
  ["a hook without a registry entry", agent, reported("waiting"), undefined, "waiting hook"],
  ["a hook beside a registry entry", saying("idle"), reported("waiting"), undefined, "idle registry"],
  [
    "a hook beside a registry entry without an activity",
    saying(null),
    reported("busy"),
    undefined,
    "busy hook",
  ],
  ["idle, but limited (incident 50)", saying("idle"), null, showing("limited"), "limited screen"],
  ["idle, but in error", saying("idle"), null, showing("error"), "error screen"],
  ["idle, but low on context", saying("idle"), null, showing("context-low"), "context-low screen"],
  ["idle, and the screen agrees", saying("idle"), null, showing("idle"), "idle registry"],
  ["idle, and the screen shows nothing", saying("idle"), null, null, "idle registry"],
  ["idle by hook, but limited", agent, reported("idle"), showing("limited"), "limited screen"],
  ["the screen alone", agent, null, showing("busy"), "busy screen"],
  ["busy by hook, interrupted since", agent, reported("busy"), showing("idle"), "idle screen"],
  ["busy by hook, and the screen shows nothing", agent, reported("busy"), null, "busy hook"],
  ["no evidence", agent, null, null, "unknown null"],
  ["idle, but without a box", saying("idle"), null, showing("unknown", "a view"), "unknown null"],
  ["idle by hook, but without a box", agent, reported("idle"), showing("unknown", "a view"), "unknown null"],
  ["busy by hook, and without a box", agent, reported("busy"), showing("unknown", "a view"), "busy hook"],
  ["waiting, and without a box", saying("waiting"), null, showing("unknown", "a view"), "waiting registry"],
  ["no report, and without a box", agent, null, showing("unknown", "a view"), "unknown null"],
])("%s", (_, pane, hook, screen, expected) => {
  const { activity, source } = activityOf(pane, hook, screen);
  expect(`${activity} ${source}`).toBe(expected);
});

test("all evidence is listed, and exactly one is chosen", () => {
  const until = { ...showing("limited", "session limit"), untilMs: 5 };
  expect(activityOf(saying("idle"), reported("busy"), until)).toEqual({
    activity: "limited",
    waitingFor: null,
    about: "session limit",
    untilMs: 5,
    isInBackground: false,
    source: "screen",
    evidence: [
      { source: "registry", activity: "idle", chosen: false, reason: "the client's registry" },
      { source: "hook", activity: "busy", chosen: false, reason: "its last report: Stop" },
      { source: "screen", activity: "limited", chosen: true, reason: "seen: session limit" },
    ],
  });
});

test("a dead pane's screen is outdated: only tmux counts", () => {
  const { evidence } = activityOf({ ...agent, dead: true, deadStatus: 3 }, null, showing("idle"));
  expect(evidence).toEqual([
    { source: "tmux", activity: "crashed", chosen: true, reason: "its program ended with exit code 3" },
  ]);
});

test.each<[string, Pane, HookClaim | null, SeenActivity | undefined, string | null]>([
  [
    "from the registry",
    saying("waiting", { waitingFor: "permission prompt" }),
    null,
    undefined,
    "permission prompt",
  ],
  [
    "from the screen, if the registry has nothing",
    saying("waiting"),
    null,
    showing("waiting", "Which?"),
    "Which?",
  ],
  ["from the hook", agent, reported("waiting", "needs your permission"), undefined, "needs your permission"],
  ["from nowhere, if it does not wait", saying("idle"), null, showing("limited", "session limit"), null],
])("what it waits for comes %s", (_, pane, hook, screen, expected) => {
  expect(activityOf(pane, hook, screen).waitingFor).toBe(expected);
});

test.each<[string, Pick<FleetPane, "live">, HookClaim | null, boolean]>([
  ["there is no evidence", agent, null, true],
  ["it reports idle", saying("idle"), null, true],
  ["only a hook reports", agent, reported("busy"), true],
  ["it reports busy", saying("busy"), reported("idle"), false],
  ["it reports waiting", saying("waiting"), null, false],
])("whether the screen can add something if %s: %#", (_, pane, hook, expected) => {
  expect(isOpenToScreen(pane, hook)).toBe(expected);
});

test("the reason why an agent is not idle is given", () => {
  const { about, evidence } = activityOf(saying("idle"), null, showing("unknown", "a view is open"));
  expect(about).toBe("a view is open");
  expect(evidence.at(-1)).toMatchObject({
    source: "screen",
    activity: "unknown",
    reason: "seen: a view is open",
  });
});

test("the transcript reports a failed turn", () => {
  const failed = { ...showing("error", "API Error"), source: "transcript" as const };
  expect(activityOf(saying("idle"), null, failed)).toMatchObject({ activity: "error", source: "transcript" });
});
