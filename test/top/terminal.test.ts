import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { ended } from "../demo-agent/driver.js";
import { fixturePrograms } from "../fixture-programs.js";
import { until } from "../home.js";
import { type ShellPane, shellPane } from "./shell-pane.js";

const program = fixturePrograms("top/counter");
const counter = () => program("counter");

const taken = /^alternate 1 cursor 0 wrap 0 .*mouse 1 1 0 0 1\n(.|\n)*-isig -icanon(.|\n)* -echo /;

/** The terminal is as it was, brackets of pastes included, and a person can go on in the shell. */
async function isGivenBack(shell: ShellPane, before: string): Promise<void> {
  await until("the modes of before", () => shell.modes() === before || null);
  shell.run("cat -v");
  shell.paste("pasted");
  const screen = await shell.sees(/^pasted/m);
  expect(screen).not.toContain("200~");
  expect(screen).toContain("first words");
  shell.press("C-c");
}

async function shellWithWords(columns = 80, rows = 24) {
  const shell = await shellPane({ columns, rows });
  shell.run("echo first words");
  await shell.sees(/^first words\nready>/m);
  return { shell, before: shell.modes() };
}

describe("the terminal is as before", () => {
  test.each<[string, (shell: ShellPane, pid: number) => void, number, RegExp]>([
    ["q", (shell) => shell.press("q"), 0, /counter\.mjs\nready>/],
    ["an uncaught error", (shell) => shell.press("e"), 1, /Error: broken on purpose\n[\s\S]*ready>/],
    ["a rejection", (shell) => shell.press("r"), 1, /Error: rejected on purpose\n[\s\S]*ready>/],
    ["an exit", (shell) => shell.press("x"), 7, /counter\.mjs\nready>/],
    ["SIGTERM", (_, pid) => process.kill(pid, "SIGTERM"), 143, /Terminated/],
    ["SIGHUP", (_, pid) => process.kill(pid, "SIGHUP"), 129, /Hangup/],
    ["SIGINT", (_, pid) => process.kill(pid, "SIGINT"), 130, /ready>/],
    ["SIGQUIT", (_, pid) => process.kill(pid, "SIGQUIT"), 131, /Quit/],
  ])("after %s", async (_, finish, code, printed) => {
    const { shell, before } = await shellWithWords(120, 50);
    const pid = await shell.start(counter());
    expect(shell.modes()).toMatch(taken);
    finish(shell, pid);
    await shell.sees(printed);
    expect(await shell.exitCode()).toBe(code);
    await isGivenBack(shell, before);
  });

  test("while the program is stopped by Ctrl-Z or a signal; fg paints it again in the new size", async () => {
    const { shell, before } = await shellWithWords(80, 50);
    const pid = await shell.start(counter());
    shell.press("+");
    await shell.sees("count 1");
    for (const [turn, stop] of [() => process.kill(pid, "SIGTSTP"), () => shell.press("C-z")].entries()) {
      stop();
      await until("it stopped", () => readProcStat(pid)?.state === "T" || null);
      await isGivenBack(shell, before.replace(/columns \d+/, `columns ${80 + turn}`));
      shell.resize(81 + turn, 50);
      shell.run("fg");
      await shell.sees(`count 1 size ${81 + turn}x50`);
      await shell.sees('{"kind":"resumed"}');
      expect(shell.modes()).toMatch(taken);
      await shell.sees(/x!\n$/);
    }
    shell.press("q");
    expect(await shell.exitCode()).toBe(0);
  });

  test("after SIGSTOP, which nobody can answer, fg takes the terminal again", async () => {
    const { shell } = await shellWithWords();
    const pid = await shell.start(counter());
    process.kill(pid, "SIGSTOP");
    await until("it stopped", () => readProcStat(pid)?.state === "T" || null);
    shell.type("stty sane; clear; fg");
    // The shell has the terminal in the program's mode, where Enter ends no line.
    shell.press("C-j");
    await shell.sees('{"kind":"resumed"}');
    expect(await shell.painted()).toBe(pid);
    expect(shell.modes()).toMatch(taken);
  });

  test("in a lent terminal; Ctrl-C and Ctrl-Z are for the program that has it", async () => {
    const { shell, before } = await shellWithWords(80, 50);
    const pid = await shell.start(counter());
    shell.press("l");
    await shell.sees(/^lent$/m);
    expect(shell.modes()).toBe(before);
    shell.press("C-z");
    await until("it stopped", () => readProcStat(pid)?.state === "T" || null);
    shell.run("fg");
    await until("it runs", () => readProcStat(pid)?.state !== "T" || null);
    shell.run("some words");
    expect(await shell.painted()).toBe(pid);
    expect(shell.modes()).toMatch(taken);
    shell.press("l");
    await shell.sees(/lent\n[\s\S]*lent$/m);
    shell.press("C-c");
    expect(await shell.painted()).toBe(pid);
    shell.press("+");
    await shell.sees("count 1");
    shell.press("q");
    await shell.sees("got some words");
    await isGivenBack(shell, before);
  });
});

test("without a shell above it, Ctrl-Z stops nothing and the program goes on", async () => {
  const shell = await shellPane({ argv: [process.execPath, counter()] });
  await shell.painted();
  shell.press("C-z");
  await shell.sees('{"kind":"resumed"}');
  shell.press("+");
  await shell.sees("count 1");
});

test("the program ends when its terminal is gone", async () => {
  const shell = await shellPane();
  const pid = await shell.start(counter());
  shell.home.tmux("kill-server");
  await ended(pid);
});

describe("the screen", () => {
  test.each([
    [40, 12],
    [80, 24],
    [300, 90],
  ])("is filled exactly at %i×%i, and again after a change of the size", async (columns, rows) => {
    const { shell } = await shellWithWords(61, 20);
    await shell.start(counter());
    await isFilled(shell, 61, 20);
    shell.resize(columns, rows);
    await isFilled(shell, columns, rows);
    shell.resize(61, 20);
    await isFilled(shell, 61, 20);
  });

  test("keeps columns beside wide characters, emoji and marks, and shows control characters", async () => {
    const shell = await shellPane();
    await shell.start(counter());
    const second = shell.screen().split("\n")[1]!;
    // This tmux draws the heart in one column; its neighbour stays in place.
    expect(second).toMatch(/^東京│😀│❤\ufe0f? ?│e\u0301│␛\[31m␉�$/);
  });

  test("shows the cursor where the frame has it", async () => {
    const shell = await shellPane();
    await shell.start(counter());
    shell.press("v");
    const place = () =>
      shell.home.tmux("display-message", "-p", "#{cursor_flag} #{cursor_x},#{cursor_y}").trim();
    await until("a cursor", () => place() === "1 2,1" || null);
    shell.press("v");
    await until("no cursor", () => place().startsWith("0") || null);
  });

  test("has colours, but none with NO_COLOR", async () => {
    const colour = /\x1b\[[\d;]*\b(?:3[0-7]|90)m/;
    const shell = await shellPane();
    await shell.start(counter());
    expect(shell.styled()).toMatch(colour);
    shell.press("q");
    await shell.exitCode();
    await shell.start(counter(), "NO_COLOR=1");
    expect(shell.styled()).not.toMatch(colour);
    expect(shell.styled()).toMatch(/\x1b\[1mcount/);
  });
});

async function isFilled(shell: ShellPane, columns: number, rows: number): Promise<void> {
  await shell.sees(new RegExp(`^count \\d+ size ${columns}x${rows} `));
  const lines = (await shell.sees(/x!\n$/)).split("\n").slice(0, -1);
  expect(lines).toHaveLength(rows);
  expect(lines.at(-1)).toBe(`${"x".repeat(columns - 1)}!`);
  expect(lines.at(-2)).toBe(`${"東".repeat(Math.floor((columns - 1) / 2))}…`);
}

test("keys, pastes and the mouse arrive as events", async () => {
  const shell = await shellPane();
  await shell.start(counter());
  const key = (name: string, text = "") => ({ kind: "key", name, text, isCtrl: false, isAlt: false });
  const rows: [() => void, object][] = [
    [() => shell.press("Up"), key("up")],
    [() => shell.press("Escape"), key("escape")],
    [() => shell.press("F5"), key("f5")],
    [() => shell.press("BTab"), key("backtab")],
    [() => shell.press("M-a"), { ...key("a"), isAlt: true }],
    [() => shell.press("C-c"), { ...key("c"), isCtrl: true }],
    [() => shell.type("é"), key("é", "é")],
    [() => shell.type("\x1b[<0;300;3M"), { kind: "click", row: 2, column: 299 }],
    [() => shell.type("\x1b[<65;1;1M"), { kind: "wheel", by: 1, row: 0, column: 0 }],
    [() => shell.paste("q\nx"), { kind: "paste", text: "q\nx" }],
  ];
  for (const [act, event] of rows) {
    act();
    await shell.sees(JSON.stringify(event));
  }
});

describe("it refuses", () => {
  test("a terminal that cannot move its cursor", async () => {
    const { shell, before } = await shellWithWords(120, 24);
    shell.run(`TERM=dumb '${process.execPath}' '${counter()}'`);
    await shell.sees(/^top needs a terminal that can move its cursor$/m);
    expect(await shell.exitCode()).toBe(1);
    await isGivenBack(shell, before);
  });

  test.each([
    ["input", "< /dev/null"],
    ["output", "| cat"],
  ])("an %s that is no terminal", async (which, redirection) => {
    const { shell, before } = await shellWithWords(120, 24);
    shell.run(`('${process.execPath}' '${counter()}'; echo code $? >&2) ${redirection}`);
    await shell.sees(new RegExp(`^top needs a terminal, and its ${which} is none\ncode 1\n`, "m"));
    await isGivenBack(shell, before);
  });

  test("both", () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [counter()], {
      encoding: "utf8",
      input: "",
    });
    expect({ status, stdout, stderr }).toEqual({
      ...{ status: 1, stdout: "" },
      stderr: "top needs a terminal, and its input is none\n",
    });
  });
});
