import { expect, test } from "vitest";
import { cellsOf } from "./cells.js";
import { frameOf, paneTitle, type View } from "./screen.js";

const idle: View = {
  name: "mgr",
  draft: "",
  command: null,
  suggestion: null,
  queue: [],
  posted: [],
  isBusy: false,
  dialog: null,
  permissionMode: "default",
  statusLine: "",
  notice: null,
  goesOnAt: null,
};

const lines = (view: Partial<View>, columns = 40, rows = 20) =>
  frameOf({ ...idle, ...view }, columns, rows).lines;
const plain = (line: string) => line.replace(/\x1b\[\d+m/g, "");

test("the box is between its rules, with the name in the upper one", () => {
  expect(lines({})).toEqual([`${"─".repeat(33)} mgr ──`, "❯\u00a0", "─".repeat(40), "  ? for shortcuts"]);
  expect(lines({ name: null })[0]).toBe("─".repeat(40));
  expect(lines({ draft: "one\ntwo" }).slice(1, 3)).toEqual(["❯\u00a0one", "  two"]);
  expect(frameOf({ ...idle, draft: "one\ntwo" }, 40, 20).cursor).toEqual({ row: 2, column: 5 });
});

test.each<[Partial<View>, string]>([
  [{}, "  ? for shortcuts"],
  [{ isBusy: true }, "  esc to interrupt"],
  [{ draft: "x" }, "  "],
  [{ permissionMode: "auto" }, "  ⏵⏵ auto mode on (shift+tab to cycle)"],
  [{ permissionMode: "plan", isBusy: true }, "  ⏸ plan mode on (shift+tab to cycle) …"],
  [{ notice: "Press Ctrl-C again to exit" }, "  Press Ctrl-C again to exit"],
])("the footer of %j is %j", (view, footer) => {
  expect(lines(view).at(-1)).toBe(footer);
});

test("only the name of a known command is coloured", () => {
  const [, box] = lines({ draft: "/rename boss", command: "/rename" });
  expect(box).toBe("❯\u00a0\x1b[38;5;153m/rename\x1b[39m boss");
});

test.each<[Partial<View>, string]>([
  [{ suggestion: "Try this" }, "❯\u00a0\x1b[2mTry this\x1b[22m"],
  [{ suggestion: "Try this", draft: "mine" }, "❯\u00a0mine"],
  [{ suggestion: "Try this", queue: ["q"] }, "❯\u00a0\x1b[2mPress up to edit queued messages\x1b[22m"],
])("the box of %j shows %j", (view, box) => {
  expect(lines(view)).toContain(box);
});

test("a permission dialog replaces the box", () => {
  const shown = lines({ dialog: { kind: "permission", command: "touch demo", selected: 0 } }).join("\n");
  expect(shown).toContain("Do you want to proceed?\n ❯ 1. Yes\n   2. Yes, and don't ask again");
  expect(shown).not.toContain("❯\u00a0");
});

test.each([
  [27, 10],
  [10, 5],
  [3, 3],
  [200, 50],
])("everything fits a pane of %i×%i (incident 52)", (columns, rows) => {
  const views: Partial<View>[] = [
    { draft: "漢字 and ".repeat(200), name: "a-very-long-name-for-a-narrow-pane" },
    { draft: "\n".repeat(100), isBusy: true, queue: ["a\nb".repeat(50)], permissionMode: "acceptEdits" },
    { dialog: { kind: "permission", command: "touch demo", selected: 2 } },
    { suggestion: "s".repeat(300), statusLine: "x".repeat(300) },
  ];
  for (const view of views) {
    const { lines, cursor } = frameOf({ ...idle, ...view }, columns, rows);
    expect(Math.max(...lines.map((line) => cellsOf(plain(line))))).toBeLessThanOrEqual(columns);
    expect(lines.length).toBeLessThan(rows);
    expect(cursor.row).toBeLessThan(lines.length);
    expect(cursor.column).toBeLessThan(columns);
  }
});

test.each([
  ["mgr", null, "✳ mgr"],
  [null, null, "✳ Claude Code"],
  ["mgr", 0, "⠐ mgr"],
  ["mgr", 1, "⠂ mgr"],
])("the title of %s with spinner %s is %s", (name, spinner, title) => {
  expect(paneTitle(name, spinner)).toBe(title);
});

test("posted messages stand above the box and above a permission prompt, and bring no hint", () => {
  const posted = ["› Message from @lead: hello (ctrl+o to expand)"];
  expect(lines({ posted, isBusy: true }, 60).slice(0, 2)).toEqual([posted[0], "✻ Thinking…"]);
  expect(lines({ posted }, 60)).toContain("❯\u00a0");
  const dialog = { kind: "permission", command: "x", selected: 0 } as const;
  expect(lines({ posted, dialog }, 60).slice(0, 2)).toEqual([posted[0], "─".repeat(60)]);
  expect(lines({ posted, dialog: { kind: "status", lines: ["x"] } }, 60)[0]).toBe("─".repeat(60));
});

test("a held message is shown harmless, between its rules, and no is marked first", () => {
  const shown = lines({ dialog: { kind: "held", body: "one\u001b[31m\ntwo", selected: 0 } }, 60);
  expect(shown.slice(-5)).toEqual([
    " one␛[31m",
    " two",
    "╌".repeat(59),
    " ❯ Deny — drop it and tell the sender it was declined",
    "   Deliver this message to Claude",
  ]);
});
