import { expect, test } from "vitest";
import type { Dialog } from "../agents/agent.js";
import { isSameDialog, keyFor } from "./choose.js";

function dialog(...labels: string[]): Dialog {
  const options = labels.map((label, at) => ({ number: at + 1, label, isAtCursor: at === 0 }));
  return { kind: "dialog", question: "Do you want to proceed?", options };
}

const permission = dialog("Yes", "Yes, and don't ask again for touch commands", "No (esc)");
const reversed = dialog("No, exit", "Yes, I accept");
const lasting = dialog("Yes, allow all edits during this session", "Yes, and always allow access", "No");
const menu = dialog("Dark mode", "Light mode");

test.each([
  [permission, "approve", "1"],
  [permission, "reject", "3"],
  [reversed, "approve", "2"],
  [reversed, "reject", "1"],
  [lasting, "approve", null],
  [menu, "approve", null],
  [menu, "reject", null],
  [dialog(), "approve", null],
  [dialog("Nothing", "Yesterday"), "approve", null],
  [dialog("Nothing", "Yesterday"), "reject", null],
] as const)("[CH1] of %j, %s presses %s (incident 41)", (shown, choice, key) => {
  const found = keyFor(shown, choice);
  expect(typeof found === "string" ? null : found.key).toBe(key);
});

test.each([
  [menu, 2, "2"],
  [menu, 3, null],
  [dialog(..."abcdefghijk"), 9, "9"],
  [dialog(..."abcdefghijk"), 10, null],
])("[CH2] of %j, option %s presses %s", (shown, option, key) => {
  const found = keyFor(shown, { option });
  expect(typeof found === "string" ? null : found.key).toBe(key);
});

test("[CH3] what has no options is dismissed with Escape", () => {
  expect(keyFor(dialog(), "dismiss")).toMatchObject({ key: "Escape" });
});

test("[CH2] a cursor that moved is the same dialog, another label is not", () => {
  const moved = { ...menu, options: menu.options.map((each) => ({ ...each, isAtCursor: !each.isAtCursor })) };
  expect(isSameDialog(menu, moved)).toBe(true);
  expect(isSameDialog(menu, dialog("Dark mode", "Light mode (new)"))).toBe(false);
});
