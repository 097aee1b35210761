import { expect, test } from "vitest";
import type { Box, LiveSession } from "../agents/agent.js";
import type { FleetPane } from "../fleet/panes.js";
import { type Sight, stanceOf } from "./stance.js";

const empty: Box = { kind: "empty" };
const draft: Box = { kind: "draft", text: "mine" };
const dialog: Box = { kind: "dialog", question: "Proceed?", options: [] };

function sight(activity: LiveSession["activity"], box: Box, facts: Partial<FleetPane> = {}): Sight {
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
  return { pane: pane as FleetPane, lines: [], box };
}

const background = { live: { activity: "busy", isInBackground: true } as LiveSession };
const small = { sessionName: "web", width: 100, height: 6, windowWidth: 100, windowHeight: 40 };
const ended = { dead: true, deadStatus: 0, process: null, live: null };

test.each([
  ["idle", sight("idle", empty), "ready", ""],
  ["idle beside a suggestion", sight("idle", { kind: "suggestion", text: "x" }), "ready", ""],
  ["idle without a box", sight("idle", { kind: "none" }), "working", "no input box is seen"],
  [
    "idle in a pane that shows no box",
    sight("idle", { kind: "none" }, small),
    "working",
    "no input box is seen: its pane is too small, 100x6: hivemind size lock web 200x160",
  ],
  [
    "silent in such a pane",
    sight(null, { kind: "none" }, { ...small, height: 2, windowHeight: 12 }),
    "working",
    "no input box is seen: its pane is too small, 100x2: hivemind size lock web 200x144",
  ],
  ["working in its background alone", sight("busy", empty, background), "ready", ""],
])("[MT1] an agent that is %s", (_, seen, kind, why) => {
  expect(stanceOf(seen)).toEqual({ kind, why });
});

test.each([
  ["busy", sight("busy", empty), "working", "its agent is busy"],
  ["busy beside a draft", sight("busy", draft), "working", "its agent is busy"],
  ["without a word", sight(null, empty), "working", "its agent does not say whether it is idle"],
  [
    "without a registry",
    sight("idle", empty, { live: null }),
    "working",
    "its agent does not say whether it is idle",
  ],
  ["waiting", sight("waiting", { kind: "none" }), "asking", "its agent waits: permission prompt"],
  ["in a dialog", sight("idle", dialog), "asking", "its agent waits: Proceed?"],
  [
    "in a dialog of a held pane in copy mode",
    sight("waiting", dialog, { inMode: true }),
    "asking",
    "its agent waits: Proceed?",
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
  ["a hold", sight("busy", empty), "pat", /held by pat/],
])("[MT3] %s keeps a message for that person", (_, seen, heldBy, why) => {
  expect(stanceOf(seen, heldBy)).toEqual({ kind: "held", why: expect.stringMatching(why) });
});
