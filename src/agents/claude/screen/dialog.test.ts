import { expect, it } from "vitest";
import { readDialog } from "./dialog.js";

const rule = "─".repeat(40);

it.each([
  ["a cursor on an option", [rule, " Really?", " ❯ 1. Yes", "   2. No"]],
  [
    "the keys that answer",
    [rule, " Accessing workspace:", " ❯ No, exit", " Enter to confirm · Esc to", " cancel"],
  ],
  ["the rule of a panel", ["▔".repeat(40), "   Help  General"]],
])("a dialog is proven by %s", (_, rows) => {
  expect(readDialog(rows)?.kind).toBe("dialog");
});

it.each([
  ["nothing", []],
  ["a numbered list", ["● The steps:", "  1. Look", "  2. Leap"]],
  ["a text about keys above the bottom", ["  Esc to cancel", rule, "  Showing detailed transcript"]],
  ["a shell", ["$ ls", "a  b", "$"]],
])("%s is not a dialog", (_, rows) => {
  expect(readDialog(rows)).toBeNull();
});

const labels = (rows: string[]) => readDialog(rows)?.options.map(({ number, label }) => `${number} ${label}`);

it("the options are the last run of numbers from 1", () => {
  const plan = ["  1. Look", "  2. Leap", "  3. Land", "", " Go on?", " ❯ 1. Yes", "   2. No"];
  expect(labels([rule, ...plan])).toEqual(["1 Yes", "2 No"]);
});

it("a rule inside a dialog does not split its options", () => {
  const rows = ["❯ 1. Red", "  2. Blue", rule, "  3. Chat about this", "Enter to select"];
  expect(labels([rule, "Which?", ...rows])).toEqual(["1 Red", "2 Blue", "3 Chat about this"]);
});

it("a label wrapped in a narrow pane is joined, without its second column (incident 52)", () => {
  const rows = [" ❯ 1. Yes       Runs it", "   2.Yes, and always", "     allow it", "   3. No"];
  expect(labels([rule, ...rows])).toEqual(["1 Yes", "2 Yes, and always allow it", "3 No"]);
});

it("a version number is not an option", () => {
  expect(labels(["▔▔▔", "   Version:", "   2.1.325"])).toEqual([]);
});

it("a rule left at the bottom hides no dialog, and is not a dialog itself", () => {
  const dialog = [rule, " Go on?", " ❯ 1. Yes", "   2. No", " Esc to cancel"];
  expect(readDialog([...dialog, "", rule, ""])).toEqual(readDialog(dialog));
  expect(readDialog(["● Done.", "", "▔".repeat(40)])).toBeNull();
});

it.each([
  ["the last row with a question mark", [rule, " What is it?", "", " Go on?", " ❯ 1. Yes"], "Go on?"],
  [
    "joined if it is wrapped",
    [rule, " Do you want to", " create a.txt?", " ❯ 1. Yes"],
    "Do you want to create a.txt?",
  ],
  ["the title if there is no question", [rule, "", "  Select model", " ❯ 1. Opus"], "Select model"],
  [
    "the title of a menu that lists questions",
    [rule, "  Rewind", "    how is it?", "  Esc to cancel"],
    "Rewind",
  ],
  ["unknown without words", [rule, " ❯ 1. Yes"], null],
])("the question is %s", (_, rows, question) => {
  expect(readDialog(rows)?.question).toBe(question);
});

const bare = [" ❯ No, exit", "   Yes, I trust", "   this folder"];

it("a list without numbers gets numbers, and a label wrapped in a narrow pane is joined", () => {
  expect(labels([rule, " Security guide", "", ...bare, "", " Enter to confirm ·", " Esc to cancel"])).toEqual(
    ["1 No, exit", "2 Yes, I trust this folder"],
  );
});

it("a list has no options unless the dialog says that Enter chooses", () => {
  const picker = [
    "  Resume session",
    "",
    "  ❯ Yes, do it",
    "    5 days ago",
    "",
    "    Type to search · Esc to cancel",
  ];
  expect(readDialog([rule, ...picker])?.options).toEqual([]);
});

it("the button below a list has no number", () => {
  const rows = ["Which?", "", "  1. [✔] Red", "  2. [ ] Blue", "❯    Submit", rule, "  3. Chat about this"];
  expect(labels([rule, ...rows])).toEqual(["1 [✔] Red", "2 [ ] Blue", "0 Submit", "3 Chat about this"]);
});

it("a scrolled list begins at its first visible option", () => {
  const rows = [" Select model", "", "   ↑ 3. Sonnet", "   ❯ 4. Haiku", "", " Esc to cancel"];
  expect(labels(["▔▔▔", ...rows])).toEqual(["3 Sonnet", "4 Haiku"]);
});

it("a notice in the rule of a panel hides neither rule nor title", () => {
  const rows = [
    "❯ hello",
    " tmux detected · scroll with PgUp/PgDn ▔",
    "   Hooks",
    "   Enter to view · Esc to close",
  ];
  expect(readDialog(rows)?.question).toBe("Hooks");
});

const escapes = (...rows: string[]) => readDialog([rule, ...rows])?.known?.isClosedByEscape;

it.each([
  ["a permission", true, [" Do you want to proceed?", " ❯ 1. Yes", "   2. No", " Esc to cancel"]],
  ["a panel", true, ["  Select model", "", "  ❯ 1. Opus", "  Esc to cancel"]],
  ["the trust question", false, [...bare, " Enter to confirm · Esc to cancel"]],
  [
    "an error in its settings",
    false,
    [
      "  Settings Error",
      "  ❯ 1. Fix with Claude",
      "    2. Exit and fix manually",
      "    3. Continue without these settings",
    ],
  ],
  ["an unknown dialog", undefined, [" Shall I?", " ❯ 1. Go", "   2. Stay", " Esc to cancel"]],
  [
    "a permission for a command that quotes the trust question",
    true,
    ["  echo Yes, I trust this folder", "", " Do you want to proceed?", " ❯ 1. Yes", "   2. No"],
  ],
])("Escape closes %s: %s", (_, isClosed, rows) => {
  expect(escapes(...rows)).toBe(isClosed);
});

it("a folder out of sight, or wrapped at a blank, has no name", () => {
  const asked = (...folder: string[]) =>
    readDialog([
      rule,
      " Accessing workspace:",
      "",
      ...folder,
      "",
      " Quick safety check",
      "",
      ...bare,
      " Enter to confirm",
    ])?.question;
  expect(asked(" /srv/my shop")).toBe("Do you trust /srv/my shop?");
  expect(asked(" /srv/a-very-long", " -name")).toBe("Do you trust /srv/a-very-long-name?");
  expect(asked(" /srv/my", " shop of mine")).toBe("Do you trust its folder?");
});
