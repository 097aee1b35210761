import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readStatus } from "./status-dialog.js";

const id = "15533422-8bdb-5079-8420-efcdb81dd2e5";
const rule = "─".repeat(60);

function fixture(name: string): string[] {
  const file = new URL(`../../../../test/fixtures/screens/${name}.txt`, import.meta.url);
  return readFileSync(file, "utf8").replace(/\n$/, "").split("\n");
}

/** The panel of a dialog, in a pane as wide as its rule. */
const dialog = (...rows: string[]) => ["❯ /status", "", rule, ...rows, "", " Esc to cancel"];

test.each([
  ["2.1.197/dialog-status", { id: "bf69dbc0-d57f-47e4-b70a-18448b24925f", name: null }],
  ["2.1.197/dialog-status-narrow", { id: "b5f344be", name: null }],
  ["2.1.325/dialog-status", { id: "ab049efc-07b3-4c2d-849a-484cc142bdc7", name: null }],
  ["2.1.325/dialog-status-narrow", { id: "144f22e2-3ed5-468c-bbe4-a9fb65041da5", name: null }],
])("the real client's %s (incident 52)", (name, expected) => {
  expect(readStatus(fixture(name))).toEqual(expected);
});

test.each([
  ["2.1.197/idle"],
  ["2.1.325/dialog-permission"],
  ["2.1.325/dialog-config"],
  ["2.1.197/dialog-help"],
  ["2.1.325/busy"],
  ["2.1.325/transcript-view"],
])("%s is not a status dialog", (name) => expect(readStatus(fixture(name))).toBeNull());

test("a dialog quoted in a conversation does not count (incident 51)", () => {
  const quoted = dialog(" Version: 2.0.14", ` Session ID: ${id}`);
  const box = [rule, "❯\u00a0", rule, "  ? for shortcuts"];
  expect(readStatus([...quoted, ...box])).toBeNull();
});

test("a dialog quoted in a question does not count", () => {
  const asked = [
    " Bash command",
    `   Session ID: ${id}`,
    " Do you want to proceed?",
    " ❯ 1. Yes",
    "   2. No",
  ];
  expect(readStatus(dialog(...asked))).toBeNull();
});

test.each([
  ["the old form", [` Session ID: ${id}`, " cwd: /srv"], id],
  ["wrapped at the left side", [` Session ID: ${id.slice(0, 14)}`, id.slice(14), " cwd: /srv"], id],
  [
    "wrapped in a column",
    [` Session ID:  ${id.slice(0, 9)}`, `              ${id.slice(9, 19)}`, " cwd:"],
    id.slice(0, 19),
  ],
  ["below its label", ["   Session ID:", `   ${id}`, "   cwd:"], id],
  ["cut with an ellipsis", [` Session ID: ${id.slice(0, 12)}…`, " cwd: /srv"], id.slice(0, 12)],
  ["other words", [" Session ID: none yet", " cwd: /srv"], null],
  ["a text that is not the beginning of an id", [" Session ID: feed-beef", " cwd: /srv"], null],
  ["nothing", [" Session ID:", " cwd: /srv"], null],
])("the id: %s", (_, rows, expected) => {
  expect(readStatus(dialog(" Version: 2.0.14", ...rows))).toEqual({ id: expected, name: null });
});

test.each([
  ["beside its label", [" Session name: mgr", " cwd: /srv"], "mgr"],
  ["below its label", ["   Session name:", "   web lead", "   Session kind:"], "web lead"],
  ["with nothing below it", [" Session name: mgr"], "mgr"],
  ["no name", [" Session name: /rename to add a name", " cwd: /srv"], null],
  ["up to the right side, perhaps cut", [` Session name: ${"n".repeat(43)}`, " cwd: /srv"], null],
  ["wrapped", [" Session name: the lead of", "   everything", " cwd: /srv"], null],
])("the name: %s", (_, rows, expected) => {
  expect(readStatus(dialog(" Version: 2.1.100", ...rows))).toEqual({ id: null, name: expected });
});
