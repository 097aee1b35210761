import { expect, test } from "vitest";
import type { LiveSession, SeenActivity } from "../agents/agent.js";
import { activityOf, isOpenToScreen } from "./activity.js";
import type { HookClaim } from "./hook-claims.js";
import type { FleetPane } from "./panes.js";

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
  ["[AC1] a program that failed", { ...agent, dead: true, deadStatus: 1 }, "crashed"],
  ["[AC1] a program that a signal ended", { ...agent, dead: true }, "crashed"],
  ["[AC1] a program that ended in order", { ...agent, dead: true, deadStatus: 0 }, "shell"],
  ["[AC1] no agent", { ...agent, kind: "shell" }, "shell"],
  ["[AC1] the viewer", { ...agent, kind: "monitor" }, "shell"],
  ["[AC1] an agent without a registry", agent, "unknown"],
  ["[AC1] an agent that does not say", saying(null), "unknown"],
  ["[AC2] idle", saying("idle"), "idle"],
  ["[AC2] busy", saying("busy"), "busy"],
  ["[AC2] waiting", saying("waiting"), "waiting"],
])("%s", (_, pane, expected) => expect(activityOf(pane).activity).toBe(expected));

test("[AC2] a client with work in the background is busy, and says that its box is free (incident 53)", () => {
  const busy = saying("busy", { isInBackground: true });
  expect(activityOf(busy, null, showing("idle"))).toMatchObject({ activity: "busy", isInBackground: true });
});

test.each<[string, Pane, HookClaim | null, SeenActivity | null | undefined, string]>([
  ["[AC2] busy by the registry, whatever is shown", saying("busy"), null, showing("idle"), "busy registry"],
  ["[AC2] waiting by the registry", saying("waiting"), null, showing("limited"), "waiting registry"],
  ["[AC3] a hook where there is no registry", agent, reported("waiting"), undefined, "waiting hook"],
  ["[AC3] a hook beside a registry", saying("idle"), reported("waiting"), undefined, "idle registry"],
  ["[AC3] a hook where the registry does not say", saying(null), reported("busy"), undefined, "busy hook"],
  ["[AC4] idle, but limited (incident 50)", saying("idle"), null, showing("limited"), "limited screen"],
  ["[AC4] idle, but in error", saying("idle"), null, showing("error"), "error screen"],
  ["[AC4] idle, but short of context", saying("idle"), null, showing("context-low"), "context-low screen"],
  ["[AC4] idle, and shown so", saying("idle"), null, showing("idle"), "idle registry"],
  ["[AC4] idle, and nothing is shown", saying("idle"), null, null, "idle registry"],
  ["[AC4] idle by hook, but limited", agent, reported("idle"), showing("limited"), "limited screen"],
  ["[AC4] the screen alone", agent, null, showing("busy"), "busy screen"],
  ["[AC5] busy by hook, interrupted since", agent, reported("busy"), showing("idle"), "idle screen"],
  ["[AC5] busy by hook, and nothing is shown", agent, reported("busy"), null, "busy hook"],
  ["[AC6] nothing tells", agent, null, null, "unknown null"],
  ["[AC7] idle, but without a box", saying("idle"), null, showing("unknown", "a view"), "unknown null"],
  [
    "[AC7] idle by hook, but without a box",
    agent,
    reported("idle"),
    showing("unknown", "a view"),
    "unknown null",
  ],
  [
    "[AC7] busy by hook, and without a box",
    agent,
    reported("busy"),
    showing("unknown", "a view"),
    "busy hook",
  ],
  [
    "[AC7] waiting, and without a box",
    saying("waiting"),
    null,
    showing("unknown", "a view"),
    "waiting registry",
  ],
  ["[AC7] no word, and without a box", agent, null, showing("unknown", "a view"), "unknown null"],
])("%s", (_, pane, hook, screen, expected) => {
  const { activity, source } = activityOf(pane, hook, screen);
  expect(`${activity} ${source}`).toBe(expected);
});

test("[AC6] all evidence is told, and exactly one of it is chosen", () => {
  const until = { ...showing("limited", "session limit"), untilMs: 5 };
  expect(activityOf(saying("idle"), reported("busy"), until)).toEqual({
    activity: "limited",
    waitingFor: null,
    about: "session limit",
    untilMs: 5,
    isInBackground: false,
    source: "screen",
    evidence: [
      { source: "registry", activity: "idle", chosen: false, reason: "the client's own word" },
      { source: "hook", activity: "busy", chosen: false, reason: "its last report: Stop" },
      { source: "screen", activity: "limited", chosen: true, reason: "seen: session limit" },
    ],
  });
});

test("[AC6] a dead pane's screen is a picture of what was: only tmux is asked", () => {
  const { evidence } = activityOf({ ...agent, dead: true, deadStatus: 3 }, null, showing("idle"));
  expect(evidence).toEqual([
    { source: "tmux", activity: "crashed", chosen: true, reason: "its program ended with exit code 3" },
  ]);
});

test.each<[string, Pane, HookClaim | null, SeenActivity | undefined, string | null]>([
  [
    "as the registry has it",
    saying("waiting", { waitingFor: "permission prompt" }),
    null,
    undefined,
    "permission prompt",
  ],
  [
    "by the screen, where the registry does not say",
    saying("waiting"),
    null,
    showing("waiting", "Which?"),
    "Which?",
  ],
  ["by the hook", agent, reported("waiting", "needs your permission"), undefined, "needs your permission"],
  ["not at all, where it does not wait", saying("idle"), null, showing("limited", "session limit"), null],
])("what it waits for is told %s", (_, pane, hook, screen, expected) => {
  expect(activityOf(pane, hook, screen).waitingFor).toBe(expected);
});

test.each<[string, Pick<FleetPane, "live">, HookClaim | null, boolean]>([
  ["nothing tells", agent, null, true],
  ["it calls itself idle", saying("idle"), null, true],
  ["only a hook tells", agent, reported("busy"), true],
  ["it says that it works", saying("busy"), reported("idle"), false],
  ["it says that it waits", saying("waiting"), null, false],
])("the screen can tell more where %s: %#", (_, pane, hook, expected) => {
  expect(isOpenToScreen(pane, hook)).toBe(expected);
});

test("[AC7] why an agent is not idle is told", () => {
  const { about, evidence } = activityOf(saying("idle"), null, showing("unknown", "a view is open"));
  expect(about).toBe("a view is open");
  expect(evidence.at(-1)).toMatchObject({
    source: "screen",
    activity: "unknown",
    reason: "seen: a view is open",
  });
});

test("[AC4] a failed turn is told by the transcript", () => {
  const failed = { ...showing("error", "API Error"), source: "transcript" as const };
  expect(activityOf(saying("idle"), null, failed)).toMatchObject({ activity: "error", source: "transcript" });
});
