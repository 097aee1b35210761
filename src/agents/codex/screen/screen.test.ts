import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { LastTurn } from "../../../transcripts/transcript.js";
import type { SeenActivity } from "../../agent.js";
import { readBox } from "./input-box.js";
import { readActivity } from "./screen.js";
import { readStatus } from "./status-dialog.js";

const screen = (name: string) =>
  readFileSync(new URL(`../../../../test/kinds/codex/screens/${name}.txt`, import.meta.url), "utf8")
    .replace(/\n$/, "")
    .split("\n");
const nowMs = Date.parse("2026-11-18T07:30:00Z");
const seen = (name: string, turn: LastTurn | null = null) => readActivity(screen(name), nowMs, turn);

test.each<[string, object]>([
  ["idle", { kind: "empty" }],
  ["idle-small", { kind: "empty" }],
  ["answered", { kind: "empty" }],
  ["titled", { kind: "empty" }],
  ["busy", { kind: "empty" }],
  ["error", { kind: "empty" }],
  ["draft", { kind: "draft", text: "my own draft" }],
  ["draft-lines", { kind: "draft", text: "first\n\n  third" }],
  ["draft-hidden", { kind: "draft", text: "[Pasted Content 1500 chars]" }],
  ["busy-draft", { kind: "draft", text: "more" }],
  ["menu-slash", { kind: "draft", text: "/status", isKnownCommand: true }],
  ["slash-unknown", { kind: "draft", text: "/nothing", isKnownCommand: false }],
  ["menu-file", { kind: "draft", text: "@mad" }],
  ["shell-line", { kind: "draft", text: "!ls" }],
])("the box of %s", (name, expected) => expect(readBox(screen(name))).toEqual(expected));

test("a tall draft shows its end", () => {
  const box = readBox(screen("draft-tall"));
  expect(box).toMatchObject({ kind: "draft", text: expect.stringMatching(/^line \d+\nline .*\nline 39$/s) });
});

test.each<[string, string, string[], string | undefined, boolean | undefined]>([
  [
    "approval",
    "run touch made?",
    [
      "Yes, proceed (y)",
      "Yes, and don't ask again for commands that start with `touch made` (p)",
      "No, and tell Codex what to do differently (esc)",
    ],
    "whether to run touch made",
    true,
  ],
  ["trust", "Trust this folder?", ["Trust and continue", "Quit"], "whether you trust /tmp/hm-codex", false],
  [
    "locked",
    "another process has this conversation open",
    [],
    "another process has this conversation open",
    false,
  ],
])("the dialog %s", (name, question, labels, asks, isClosedByEscape) => {
  const box = readBox(screen(name));
  if (box.kind !== "dialog") throw new Error(`it is ${box.kind}`);
  expect(box.question).toBe(question);
  expect(box.options.map(({ label }) => label)).toEqual(labels);
  expect(box.options.map(({ number }) => number)).toEqual(labels.map((_, at) => at + 1));
  expect(box.options.filter(({ isAtCursor }) => isAtCursor)).toHaveLength(Math.min(1, labels.length));
  expect(box.known).toEqual({ asks, isClosedByEscape });
});

test.each<[string, SeenActivity["activity"], string | null]>([
  ["idle", "idle", null],
  ["answered", "idle", null],
  ["draft", "idle", null],
  ["interrupted", "idle", null],
  ["busy", "busy", null],
  ["busy-draft", "busy", null],
  ["approval", "waiting", "run touch made?"],
  ["trust", "waiting", "Trust this folder?"],
  ["resume-folder", "waiting", "in which folder?"],
  ["picker", "waiting", "Select Model and Effort"],
  ["locked", "waiting", "another process has this conversation open"],
  ["error", "error", "bad thing"],
  ["overloaded", "error", "We’re currently experiencing high demand, which may cause temporary errors."],
  [
    "context-full",
    "context-low",
    "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
  ],
])("the activity of %s", (name, activity, about) => {
  expect(seen(name)).toMatchObject({ activity, about });
});

test("a limit has its end", () => {
  const limited = seen("limited")!;
  expect(limited.activity).toBe("limited");
  expect(new Date(limited.untilMs!).toDateString()).toBe("Sat Nov 21 2026");
  expect(readActivity(screen("limited"), limited.untilMs!, null)?.activity).toBe("idle");
});

const turn = (end: LastTurn["end"], words: string): LastTurn => ({ end, words, atMs: null });

test.each<[string, string, LastTurn, SeenActivity["activity"]]>([
  ["a failed turn is an error, whatever the screen shows", "idle", turn("error", "bad"), "error"],
  ["a dialog is nearer than a failed turn", "approval", turn("error", "bad"), "waiting"],
  ["work is nearer than a failed turn", "busy", turn("error", "bad"), "busy"],
  ["words of the model are no error", "error", turn("answer", "■ bad thing"), "idle"],
  ["a message has overtaken the error", "error", turn("prompt", "bad thing"), "idle"],
])("%s", (_, name, last, activity) => expect(seen(name, last)?.activity).toBe(activity));

test("without a screen only a failed turn counts", () => {
  expect(readActivity(null, nowMs, turn("error", "bad"))).toMatchObject({
    activity: "error",
    source: "transcript",
  });
  expect(readActivity(null, nowMs, turn("answer", "ok"))).toBeNull();
});

test("a screen of another program has no box", () => {
  expect(readBox(["$ ls", "a  b", "$ "])).toEqual({ kind: "none" });
  expect(readActivity(["$ "], nowMs)?.activity).toBe("unknown");
});

test("the answer of /status has the session's id", () => {
  expect(readStatus(screen("status"))).toEqual({
    id: expect.stringMatching(/^01a1[0-9a-f-]{32}$/),
    name: null,
  });
  expect(readStatus(screen("idle"))).toBeNull();
});
