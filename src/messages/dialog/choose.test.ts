import { expect, test } from "vitest";
import type { Dialog, DialogOption } from "../../agents/box.js";
import { escapeRefusal, isSameDialog, isSameQuestion, keyTowards, optionFor } from "./choose.js";

function dialog(...labels: string[]): Dialog {
  const options = labels.map((label, at) => ({ number: at + 1, label, isAtCursor: at === 0 }));
  return { kind: "dialog", question: "Do you want to proceed?", options };
}

const permission = dialog("Yes", "Yes, and don't ask again for touch commands", "No (esc)");
const reversed = dialog("No, exit", "Yes, I accept");
const lasting = dialog("Yes, allow all edits during this session", "Yes, and always allow access", "No");
const menu = dialog("Dark mode", "Light mode");

const plan = dialog("Yes, and use auto mode", "Yes, manually approve edits", "Tell Claude what to change");
const strictPlan = dialog("Yes, and switch to default (ask each time) for this session", "No");
const server = dialog(
  "Use this MCP server",
  "Use this and all future MCP servers in this project",
  "Continue without using this MCP server",
);
const once = dialog("Allow once", "Allow for this session", "No, suggest changes (esc)");
const trust = dialog("Trust folder (work)", "Trust parent folder (srv)", "Don't trust");
const review = dialog("Submit answers", "Cancel");

test.each([
  [permission, "approve", 1],
  [permission, "reject", 3],
  [reversed, "approve", 2],
  [reversed, "reject", 1],
  [lasting, "approve", null],
  [plan, "approve", 2],
  [plan, "reject", null],
  [strictPlan, "approve", 1],
  [server, "approve", 1],
  [server, "reject", 3],
  [once, "approve", 1],
  [once, "reject", 3],
  [trust, "approve", 1],
  [trust, "reject", 3],
  [review, "approve", 1],
  [review, "reject", 2],
  [menu, "approve", null],
  [menu, "reject", null],
  [dialog(), "approve", null],
  [dialog("Nothing", "Yesterday"), "approve", null],
  [dialog("Nothing", "Yesterday"), "reject", null],
] as const)("of %j, %s chooses %s (incident 41)", (shown, choice, number) => {
  const found = optionFor(shown, choice);
  expect(typeof found === "string" ? null : found.number).toBe(number);
});

test.each([
  [menu, 2, 2],
  [menu, 3, null],
  [dialog(..."abcdefghijk"), 10, 10],
])("of %j, option %s chooses %s", (shown, option, number) => {
  const found = optionFor(shown, { option });
  expect(typeof found === "string" ? null : found.number).toBe(number);
});

test.each([
  ["a dialog that no rule knows", {}, true, false],
  ["a question that Escape ends", { known: { asks: "x", isClosedByEscape: false } }, true, false],
  ["a panel at the start", { known: { asks: "x", isClosedByEscape: true } }, false, false],
  ["a panel in a conversation", { known: { asks: "x", isClosedByEscape: true } }, true, true],
])("Escape into %s", (_, more, isInConversation, isPressed) => {
  expect(escapeRefusal({ ...menu, ...more }, { isInConversation }) === null).toBe(isPressed);
});

test("the cursor moves towards the option, and not if neither is visible", () => {
  const [dark, light] = menu.options as [DialogOption, DialogOption];
  const at = (number: number) =>
    menu.options.map((each) => ({ ...each, isAtCursor: each.number === number }));
  expect(keyTowards(at(1), light)).toBe("Down");
  expect(keyTowards(at(2), dark)).toBe("Up");
  expect(keyTowards(at(2), light)).toBeNull();
  expect(keyTowards(at(3), light)).toBeUndefined();
  expect(keyTowards(at(1), { ...light, label: "Another" })).toBeUndefined();
});

test("a moved cursor leaves the dialog the same, a changed label does not", () => {
  const moved = { ...menu, options: menu.options.map((each) => ({ ...each, isAtCursor: !each.isAtCursor })) };
  expect(isSameDialog(menu, moved)).toBe(true);
  const renamed = dialog("Dark mode", "Light mode (new)");
  expect(isSameDialog(menu, renamed)).toBe(false);
  expect(isSameQuestion(menu, renamed)).toBe(true);
  expect(isSameQuestion(menu, dialog("Dark mode"))).toBe(false);
});
