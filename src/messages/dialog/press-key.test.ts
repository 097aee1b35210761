import { expect, test } from "vitest";
import { keyRefusal } from "./press-key.js";

test.each(["BTab", "C-l", "C-t", "C-u", "M-m", "M-o", "M-t"])("%s is allowed", (key) => {
  expect(keyRefusal(key)).toBeNull();
});

test.each([
  ["that enters", ["Enter", "C-m", "C-M", "C-j", "M-Enter", "C-M-m", "M-C-j", "C-M-Enter"]],
  ["that ends or interrupts", ["Escape", "C-c", "C-C", "C-d", "C-z", "C-\\", "C-[", "C-M-c", "M-C-c", "M-["]],
  ["that writes", ["y", "Space", "S-Space", "M-Space", "Tab", "C-i", "C-v", "C-y", "Up", "C-p", "Right"]],
  ["that tmux types letter by letter", ["S-a", "S-S-a", "S-Tab", "C-S-u", "C-{", "S-M-t", "C-M-S-u"]],
  ["whose name tmux does not know", ["Return", "c-u", "C-u;", ""]],
])("a key %s is refused", (_, keys) => {
  expect(keys.filter((key) => keyRefusal(key) === null)).toEqual([]);
});
