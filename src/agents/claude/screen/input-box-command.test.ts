import { expect, test } from "vitest";
import { readBox } from "./input-box.js";

const rule = `\u001b[38;5;244m${"─".repeat(40)}\u001b[39m`;
const screen = (prompt: string, footer = "  ? for shortcuts") => [rule, prompt, rule, footer];

test.each([
  ["a known one", "❯\u00a0\u001b[38;5;153m/clear\u001b[7m\u001b[39m \u001b[0m", "/clear", true],
  [
    "a known one with an argument",
    "❯\u00a0\u001b[38;5;153m/rename\u001b[39m boss\u001b[7m ",
    "/rename boss",
    true,
  ],
  ["an unknown one", "❯\u00a0/clera\u001b[7m \u001b[0m", "/clera", false],
  ["one coloured in part", "❯\u00a0/\u001b[38;5;153mcle\u001b[39mra", "/clera", false],
])("the client colours the name of a command: %s", (_, prompt, text, isKnownCommand) => {
  expect(readBox(screen(prompt))).toEqual({ kind: "draft", text, isKnownCommand });
});

test("a screen without colours does not show whether a command is known", () => {
  const plain = screen("❯\u00a0/clear\u001b[7m \u001b[0m").map((line) =>
    line.replace(/\u001b\[3\d[\d;]*m/g, ""),
  );
  expect(readBox(plain)).toEqual({ kind: "draft", text: "/clear" });
});

test.each([
  ["the rest of a command", "❯\u00a0please do /cle\u001b[7ma\u001b[0;2mr\u001b[0m", "please do /cle"],
  [
    "the rest of a shell line",
    "\u001b[38;5;211m!\u00a0\u001b[39mecho one\u001b[7m \u001b[0;2mtwo\u001b[0m",
    "!echo one",
  ],
])("a suggestion after typed text is not part of it: %s", (_, prompt, text) => {
  expect(readBox(screen(prompt))).toMatchObject({ kind: "draft", text });
});

test.each([
  ["  -- INSERT -- ⏵⏵ auto mode on", "empty"],
  ["  -- VISUAL -- ⏵⏵ auto mode on", "none"],
  ["  -- VISUAL LINE --", "none"],
])("an empty box over the footer %j is %s", (footer, kind) => {
  expect(readBox(screen("❯\u00a0", footer)).kind).toBe(kind);
});
