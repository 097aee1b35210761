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
])("[DG1] a dialog is proven by %s", (_, rows) => {
  expect(readDialog(rows)?.kind).toBe("dialog");
});

it.each([
  ["nothing", []],
  ["a numbered list", ["● The steps:", "  1. Look", "  2. Leap"]],
  ["talk about keys above the bottom", ["  Esc to cancel", rule, "  Showing detailed transcript"]],
  ["a shell", ["$ ls", "a  b", "$"]],
])("[DG1] %s is no dialog", (_, rows) => {
  expect(readDialog(rows)).toBeNull();
});

const labels = (rows: string[]) => readDialog(rows)?.options.map(({ number, label }) => `${number} ${label}`);

it("[DG2] the options are the last run that counts from 1", () => {
  const plan = ["  1. Look", "  2. Leap", "  3. Land", "", " Go on?", " ❯ 1. Yes", "   2. No"];
  expect(labels([rule, ...plan])).toEqual(["1 Yes", "2 No"]);
});

it("[DG2] a rule inside a dialog does not part its options", () => {
  const rows = ["❯ 1. Red", "  2. Blue", rule, "  3. Chat about this", "Enter to select"];
  expect(labels([rule, "Which?", ...rows])).toEqual(["1 Red", "2 Blue", "3 Chat about this"]);
});

it("[DG2] a label wrapped in a narrow pane is put together, and a second column left out (incident 52)", () => {
  const rows = [" ❯ 1. Yes       Runs it", "   2.Yes, and always", "     allow it", "   3. No"];
  expect(labels([rule, ...rows])).toEqual(["1 Yes", "2 Yes, and always allow it", "3 No"]);
});

it("[DG2] a version number is no option", () => {
  expect(labels(["▔▔▔", "   Version:", "   2.1.325"])).toEqual([]);
});

it("[DG4] a rule left at the bottom hides no dialog, and is none by itself", () => {
  const dialog = [rule, " Go on?", " ❯ 1. Yes", "   2. No", " Esc to cancel"];
  expect(readDialog([...dialog, "", rule, ""])).toEqual(readDialog(dialog));
  expect(readDialog(["● Done.", "", "▔".repeat(40)])).toBeNull();
});

it.each([
  ["the last row that asks", [rule, " What is it?", "", " Go on?", " ❯ 1. Yes"], "Go on?"],
  [
    "put together where it is wrapped",
    [rule, " Do you want to", " create a.txt?", " ❯ 1. Yes"],
    "Do you want to create a.txt?",
  ],
  ["the title where nothing is asked", [rule, "", "  Select model", " ❯ 1. Opus"], "Select model"],
  [
    "the title of a menu that lists questions",
    [rule, "  Rewind", "    how is it?", "  Esc to cancel"],
    "Rewind",
  ],
  ["unknown where there are no words", [rule, " ❯ 1. Yes"], null],
])("[DG3] the question is %s", (_, rows, question) => {
  expect(readDialog(rows)?.question).toBe(question);
});

const bare = [" ❯ No, exit", "   Yes, I trust", "   this folder"];

it("[DG5] a list without numbers is counted, and a label wrapped in a narrow pane put together", () => {
  expect(labels([rule, " Security guide", "", ...bare, "", " Enter to confirm ·", " Esc to cancel"])).toEqual(
    ["1 No, exit", "2 Yes, I trust this folder"],
  );
});

it("[DG5] a list where nothing says that Enter chooses has no options", () => {
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

it("[DG2] the button below a list has no number", () => {
  const rows = ["Which?", "", "  1. [✔] Red", "  2. [ ] Blue", "❯    Submit", rule, "  3. Chat about this"];
  expect(labels([rule, ...rows])).toEqual(["1 [✔] Red", "2 [ ] Blue", "0 Submit", "3 Chat about this"]);
});

it("[DG2] a list that is scrolled begins where it is cut", () => {
  const rows = [" Select model", "", "   ↑ 3. Sonnet", "   ❯ 4. Haiku", "", " Esc to cancel"];
  expect(labels(["▔▔▔", ...rows])).toEqual(["3 Sonnet", "4 Haiku"]);
});

it("[DG1] a notice in the rule of a panel hides neither rule nor title", () => {
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
  ["a dialog that no rule knows", undefined, [" Shall I?", " ❯ 1. Go", "   2. Stay", " Esc to cancel"]],
  [
    "a permission for a command that quotes the trust question",
    true,
    ["  echo Yes, I trust this folder", "", " Do you want to proceed?", " ❯ 1. Yes", "   2. No"],
  ],
])("[KD1] Escape closes %s: %s", (_, isClosed, rows) => {
  expect(escapes(...rows)).toBe(isClosed);
});

it("[KD1] a folder that is out of sight, or wrapped at a blank, is not named", () => {
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
