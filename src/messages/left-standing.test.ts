import { expect, test } from "vitest";
import type { LiveSession } from "../agents/agent.js";
import type { Box } from "../agents/box.js";
import type { FleetPane } from "../fleet/panes.js";
import { formsFor } from "./fit.js";
import { leftIn } from "./settle.js";
import type { PaneView } from "./stance.js";

const rule = "─".repeat(40);
const lines = [rule, "❯\u00a0", rule, "  ? for shortcuts"];
const pane = {
  kind: "claude",
  address: "team:0.1",
  width: 100,
  height: 30,
  process: {},
  live: { activity: "idle" },
} as unknown as FleetPane;

function left(text: string, box: Box, facts: Partial<FleetPane> = {}, isUntouched = true, heldBy?: string) {
  const seen: PaneView = { pane: { ...pane, ...facts }, lines, box };
  const found = leftIn(seen, formsFor(seen.pane, text), { heldBy: heldBy ?? null }, { isUntouched });
  if (found.kind === "ours") return `ours: ${found.shaped.text}`;
  return found.kind === "waits" ? `waits: ${found.stance.why}` : `lost: ${found.why}`;
}

const draft = (text: string): Box => ({ kind: "draft", text });
const ten = Array.from({ length: 10 }, (_, at) => `line ${at}`).join("\n");
const wide = "word ".repeat(60).trim();

test.each([
  ["our words", "run it", draft("run it"), "ours: run it"],
  ["our words, wrapped", "run it now", draft("run it\nnow"), "ours: run it now"],
  ["our words as they were shaped", "exit", draft("> exit"), "ours: > exit"],
  [
    "words that a box draws differently",
    "a\u202eb\u202c 👩🏽‍💻 हिन्दी",
    draft("ab 👩  हिन्द"),
    "ours: ab 👩‍💻 हिन्दी",
  ],
  ["a placeholder for our lines", ten, draft("[Pasted text #3 +9 lines]"), `ours: ${ten}`],
  ["a placeholder from a smaller pane", wide, draft("[Pasted text #1 +3 lines]"), `ours: ${wide}\n\n\n`],
])("[LS1] %s in the box", (_, text, box, is) => {
  expect(left(text, box)).toBe(is);
});

test.each([
  ["works", { live: { activity: "busy" } as LiveSession }, draft("run it"), /^waits: its agent is busy/],
  ["asks something", {}, { kind: "dialog", question: "Proceed?", options: [] } as Box, /^waits: .*Proceed/],
  ["is in copy mode", { inMode: true }, draft("run it"), /^waits: .*copy mode/],
  ["has ended", { dead: true, process: null }, draft("run it"), /^lost: .*ended/],
])("[LS1] an agent that %s", (_, facts, box, is) => {
  expect(left("run it", box, facts)).toMatch(is);
});

test("[LS1] an agent on hold keeps the message open", () => {
  expect(left("run it", draft("run it"), {}, true, "pat")).toMatch(/^waits: pat put it on hold/);
});

test.each([
  ["words behind ours", "run it", draft("run it and mine"), true, /mixed with other words/],
  ["words before ours", "run it", draft("mine: run it"), true, /mixed with other words/],
  ["another draft", "run it", draft("mine"), true, /another draft/],
  ["a part of ours", "run it", draft("run"), true, /another draft/],
  [
    "an empty box",
    "run it",
    { kind: "empty" } as Box,
    true,
    /^lost: the message was typed, but neither the input box nor the conversation shows it$/,
  ],
  [
    "a placeholder, after a person pressed a key",
    ten,
    draft("[Pasted text #3 +9 lines]"),
    false,
    /collapsed paste, this message or another/,
  ],
  ["a placeholder for other lines", ten, draft("[Pasted text #3 +8 lines]"), true, /another draft/],
  ["a placeholder and words", ten, draft("[Pasted text #3 +9 lines] mine"), true, /another draft/],
])("[LS2] %s", (_, text, box, isUntouched, is) => {
  expect(left(text, box, {}, isUntouched)).toMatch(is);
});
