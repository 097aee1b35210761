import { expect, test } from "vitest";
import { isKey } from "./keys.js";

test.each(["Enter", "Escape", "C-u", "C-M-Left", "y", "1", ";", "F12", "BTab"])("%s is a key", (name) => {
  expect(isKey(name)).toBe(true);
});

test.each(["", "Entr", "hello", "F13", "Enter\n", "C-", "é", "/clear"])("%j is not a key", (name) => {
  expect(isKey(name)).toBe(false);
});
