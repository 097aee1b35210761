import { expect, test } from "vitest";
import { readBox } from "./box.js";

const rule = `\u001b[38;5;244m${"─".repeat(40)}\u001b[39m`;
const screen = (prompt: string, footer = "  ? for shortcuts") => [rule, prompt, rule, footer];

test.each([
  ["one that it knows", "❯\u00a0\u001b[38;5;153m/clear\u001b[7m\u001b[39m \u001b[0m", "/clear", true],
  ["one with an argument", "❯\u00a0\u001b[38;5;153m/rename\u001b[39m boss\u001b[7m ", "/rename boss", true],
  ["one that it does not know", "❯\u00a0/clera\u001b[7m \u001b[0m", "/clera", false],
  ["one that is coloured in part", "❯\u00a0/\u001b[38;5;153mcle\u001b[39mra", "/clera", false],
])("[IB8] the client colours the name of a command: %s", (_, prompt, text, isKnownCommand) => {
  expect(readBox(screen(prompt))).toEqual({ kind: "draft", text, isKnownCommand });
});

test("[IB8] a screen without colours tells nothing of a command", () => {
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
])("[IB3] what the client suggests behind typed text is no part of it: %s", (_, prompt, text) => {
  expect(readBox(screen(prompt))).toMatchObject({ kind: "draft", text });
});

test.each([
  ["  -- INSERT -- ⏵⏵ auto mode on", "empty"],
  ["  -- VISUAL -- ⏵⏵ auto mode on", "none"],
  ["  -- VISUAL LINE --", "none"],
])("[IB2] an empty box over the footer %j is %s", (footer, kind) => {
  expect(readBox(screen("❯\u00a0", footer)).kind).toBe(kind);
});
