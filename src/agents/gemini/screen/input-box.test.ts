import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Box } from "../../box.js";
import { boxIn, readBox } from "./input-box.js";

/** Recorded from 0.61.0 with `capture-pane -e`. */
function screen(name: string): string[] {
  const file = new URL(`../../../../test/kinds/gemini/screens/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8").replace(/\n$/, "").split("\n");
}

describe("the box on a recorded screen", () => {
  const cases: [string, Partial<Box>][] = [
    ["empty", { kind: "empty" }],
    ["truecolor", { kind: "empty" }],
    ["busy-narrow", { kind: "empty" }],
    ["answered", { kind: "empty" }],
    ["stats", { kind: "empty" }],
    ["draft", { kind: "draft", text: "a line of a person" }],
    ["busy-draft", { kind: "draft", text: "dra" }],
    ["draft-lines", { kind: "draft", text: "first line\nsecond line" }],
    ["draft-pasted", { kind: "draft", text: "[Pasted Text: 9 lines]" }],
    ["slash-menu", { kind: "draft", text: "/ab", isKnownCommand: false }],
    ["shell-empty", { kind: "draft", text: "!" }],
    ["quit", { kind: "none" }],
  ];
  it.each(cases)("%s", (name, expected) => {
    expect(readBox(screen(name))).toEqual(expected);
  });

  it.each([
    ["permission", "Allow execution of [Shell]?", "for permission", ["Allow once", "Allow for this session"]],
    [
      "quota-dialog",
      "Usage limit reached for all Pro models.",
      "what to do about a usage limit",
      ["Keep trying"],
    ],
    [
      "auth",
      "How would you like to authenticate for this project?",
      "how to sign in",
      ["Sign in with Google"],
    ],
    [
      "trust",
      "Do you trust the files in this folder?",
      "whether you trust its folder",
      ["Trust folder (wd)"],
    ],
    ["ask-user-nocolor", "Which colour?", "a question", ["Blue", "Red"]],
    ["session-list", "Which session should it resume?", "which session to resume", []],
  ])("%s is a dialog", (name, question, asks, labels) => {
    const box = readBox(screen(name));
    expect(box).toMatchObject({ kind: "dialog", question, known: { asks } });
    if (box.kind !== "dialog") return;
    expect(box.options.slice(0, labels.length).map(({ label }) => label)).toEqual(labels);
    expect(box.options.filter(({ isAtCursor }) => isAtCursor)).toHaveLength(labels.length > 0 ? 1 : 0);
  });
});

describe("a box made of rows", () => {
  const rule = "─".repeat(40);
  const footer = ["", " workspace (/directory)", " /srv/w"];
  const boxed = (...rows: string[]) => [
    " > a message of before",
    "",
    rule,
    " Shift+Tab",
    "",
    ...rows,
    ...footer,
  ];
  it.each([
    ["an empty line in the middle", boxed(" > a", "", "   b"), { kind: "draft", text: "a\n\nb" }],
    ["the sign of the mode without questions", boxed(" * go"), { kind: "draft", text: "go" }],
    ["a shell line", boxed(" ! ls"), { kind: "draft", text: "!ls" }],
    [
      "a command that the menu chooses",
      [...boxed(" > /about").slice(0, -2), " about   Show version info", ...footer],
      { kind: "draft", text: "/about", isKnownCommand: true },
    ],
    ["the search in old inputs", boxed(" (r:) ab"), { kind: "dialog" }],
    ["a message without a box", [" > a message", "", "✦ an answer"], { kind: "none" }],
    [
      "a shell prompt below the box",
      [...boxed(" >   Type your message or @path/to/file"), "$ "],
      { kind: "none" },
    ],
    ["a cut placeholder", boxed(" >   Type your message or @pa"), { kind: "empty" }],
    ["a person's own words like it", boxed(" > Type your message"), { kind: "draft" }],
  ])("%s", (_what, rows, expected) => {
    expect(boxIn(rows)).toMatchObject(expected);
  });
});
