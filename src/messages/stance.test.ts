import { describe, expect, test } from "vitest";
import type { LiveSession } from "../agents/agent.js";
import type { Box } from "../agents/box.js";
import type { FleetPane } from "../fleet/panes.js";
import { inboxStance, type PaneView, stanceOf } from "./stance.js";

const empty: Box = { kind: "empty" };
const draft: Box = { kind: "draft", text: "mine" };
const dialog: Box = { kind: "dialog", question: "Proceed?", options: [] };

function sight(activity: LiveSession["activity"], box: Box, facts: Partial<FleetPane> = {}): PaneView {
  const live = { activity, waitingFor: activity === "waiting" ? "permission prompt" : null };
  const pane = {
    kind: "claude",
    dead: false,
    inMode: false,
    synchronized: false,
    process: {},
    live,
    ...facts,
  };
  return { pane: { address: "team:0.1", ...pane } as FleetPane, lines: box.kind === "none" ? [] : idle, box };
}

const rule = "─".repeat(40);
const idle = [rule, "❯\u00a0", rule, "  ? for shortcuts"];
const noBox = "its pane is too small to show its input box";

const background = { live: { activity: "busy", isInBackground: true } as LiveSession };
const small = { sessionName: "web", width: 100, height: 6, windowWidth: 100, windowHeight: 40 };
const ended = { dead: true, deadStatus: 0, process: null, live: null };

test("[MT6] a host that is cut off from its fleet types and posts nothing", () => {
  const seen = sight("idle", empty);
  expect(stanceOf(seen, { cutOff: () => "no lease" })).toEqual({ kind: "working", why: "no lease" });
  expect(inboxStance(seen, { cutOff: () => "no lease" })).toEqual({ kind: "working", why: "no lease" });
  expect(stanceOf(seen, { cutOff: () => null }).kind).toBe("ready");
});

test.each([
  ["idle", sight("idle", empty), "ready", ""],
  ["idle beside a suggestion", sight("idle", { kind: "suggestion", text: "x" }), "ready", ""],
  ["idle without a box", sight("idle", { kind: "none" }), "working", noBox],
  [
    "idle in a pane that shows no box",
    sight("idle", { kind: "none" }, small),
    "working",
    "no input box is visible: its pane is too small, 100x6: hivemind size lock web 200x160",
  ],
  [
    "silent in a pane that shows no box",
    sight(null, { kind: "none" }, { ...small, height: 2, windowHeight: 12 }),
    "working",
    "no input box is visible: its pane is too small, 100x2: hivemind size lock web 200x144",
  ],
  ["working in its background alone", sight("busy", empty, background), "ready", ""],
])("[MT1] an agent that is %s", (_, seen, kind, why) => {
  expect(stanceOf(seen)).toEqual({ kind, why });
});

test.each([
  ["busy", sight("busy", empty), "working", "its agent is busy"],
  ["busy beside a draft", sight("busy", draft), "working", "its agent is busy"],
  ["silent", sight(null, { kind: "none" }), "working", noBox],
  [
    "without a registry",
    sight("idle", empty, { live: null }),
    "working",
    "its agent does not report whether it is idle",
  ],
  [
    "waiting",
    sight("waiting", { kind: "none" }),
    "asking",
    "its agent is waiting for an answer: permission prompt",
  ],
  ["in a dialog", sight("idle", dialog), "asking", "its agent is waiting for an answer: Proceed?"],
  [
    "in a dialog of a pane in copy mode",
    sight("waiting", dialog, { inMode: true }),
    "asking",
    "its agent is waiting for an answer: Proceed?",
  ],
  ["ended", sight("idle", empty, ended), "absent", "its program has ended"],
  [
    "not there",
    sight("idle", empty, { kind: "shell", process: null, live: null }),
    "absent",
    "no agent runs in it",
  ],
])("[MT2] an agent that is %s (incident 41)", (_, seen, kind, why) => {
  expect(stanceOf(seen)).toEqual({ kind, why });
});

test.each([
  ["a draft", sight("idle", draft), null, /draft/],
  ["copy mode", sight("idle", empty, { inMode: true }), null, /copy mode/],
  ["synchronized panes", sight("idle", empty, { synchronized: true }), null, /synchronized/],
  ["a hold", sight("busy", empty), "pat", /pat put it on hold/],
])("[MT3] %s keeps a message waiting", (_, seen, heldBy, why) => {
  expect(stanceOf(seen, { heldBy })).toEqual({ kind: "held", why: expect.stringMatching(why) });
});

describe("an agent whose last turn failed", () => {
  const words = "API Error: 500 oops";
  const failed = (box: Box, end: "error" | "prompt" = "error"): PaneView => ({
    ...sight("idle", box),
    turn: { end, words, atMs: null },
  });

  test.each([
    [
      "gets its message later",
      failed(empty),
      {},
      "failed",
      /failed \(API Error: 500 oops\); .*hivemind release team:0\.1$/,
    ],
    ["gets it after a person released it", failed(empty), { isReleased: true }, "ready", /^$/],
    ["still keeps a person's draft", failed(draft), { isReleased: true }, "held", /draft/],
    ["still honours a hold", failed(empty), { heldBy: "pat", isReleased: true }, "held", /pat/],
    ["still gets nothing in a dialog", failed(dialog), { isReleased: true }, "asking", /Proceed/],
    ["has recovered once a person said something", failed(empty, "prompt"), {}, "ready", /^$/],
  ])("[MT4] %s", (_, seen, say, kind, why) => {
    expect(stanceOf(seen, say)).toEqual({ kind, why: expect.stringMatching(why) });
  });

  test.each([
    ["busy", sight("busy", empty)],
    [
      "limited",
      {
        ...failed(empty),
        turn: { end: "error", words: "You've hit your weekly limit", atMs: null },
      } as PaneView,
    ],
  ])("[MT4] a release delivers nothing to an agent that is %s", (_, seen) => {
    expect(stanceOf(seen, { isReleased: true }).kind).toBe("working");
  });
});
