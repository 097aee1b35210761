import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PaneId } from "../../src/names/gates.js";
import { capturePane } from "../../src/tmux/capture.js";
import { pasteText, sendKeys } from "../../src/tmux/keys.js";
import { startProgram } from "../../src/tmux/program.js";
import type { Tmux } from "../../src/tmux/tmux.js";
import { type TestHome, until } from "../home.js";
import { openTestSession } from "./open.js";

/** Runs a program that keeps the first `sizeBytes` of its raw input; resolves when it is ready. */
async function listener(
  home: TestHome,
  tmux: Tmux,
  pane: PaneId,
  sizeBytes: number,
  before = "",
): Promise<() => Promise<string>> {
  const file = join(home.root, "heard");
  const script = `stty raw -echo; printf '${before}ready'; head -c ${sizeBytes} >"${file}"; exec cat`;
  await startProgram(tmux, pane, { argv: ["sh", "-c", script], env: {}, remainOnExit: true });
  await until("the program listens", async () => (await capturePane(tmux, pane)).includes("ready"));
  return async () => {
    await until("all of it", () => statSync(file, { throwIfNoEntry: false })?.size === sizeBytes);
    return readFileSync(file, "utf8");
  };
}

const line = "a line with ✳ ü, #{pid}, #(touch hacked), \t and an end;\n";
const megabyte = line.repeat(Math.ceil((1024 * 1024) / Buffer.byteLength(line)));

test.each([
  ["bracketed, if the program asked for it", "\\033[?2004h", "\x1b[200~", "\x1b[201~"],
  ["bare, if it did not", "", "", ""],
])("a megabyte is pasted byte for byte, %s (incident 47)", async (_how, asks, open, close) => {
  const { home, tmux, pane } = await openTestSession();
  const expected = open + megabyte + close;
  const heard = await listener(home, tmux, pane, Buffer.byteLength(expected), asks);
  await pasteText(tmux, pane, megabyte);
  // Compared by hand: the difference of two megabytes is not printable.
  expect((await heard()) === expected).toBe(true);
  expect(home.tmux("list-buffers")).toBe("");
});

test("a paste into a closed pane leaves no buffer behind", async () => {
  const { home, tmux } = await openTestSession();
  home.tmux("set-buffer", "-b", "mine", "text of the user");
  await expect(pasteText(tmux, "%99", "secret")).rejects.toMatchObject({ reason: "no-target" });
  expect(home.tmux("list-buffers", "-F", "#{buffer_name}")).toBe("mine\n");
});

test("a paste into a pane whose program has ended is refused, and the server lives", async () => {
  const { home, tmux, pane } = await openTestSession();
  await startProgram(tmux, pane, { argv: ["sh", "-c", "exit 0"], env: {}, remainOnExit: true });
  await until("its end", () => {
    home.tmux("run-shell", "-b", "true");
    return home.tmux("display-message", "-p", "-t", pane, "#{pane_dead}").trim() === "1";
  });
  await expect(pasteText(tmux, pane, "secret")).rejects.toThrow(/has ended/);
  expect(home.tmux("list-buffers")).toBe("");
});

test.each(["\x1b[201~rm", "a\rb", "\x00", "\x7f", "\x9b"])("%j is not pasted", async (text) => {
  const { tmux, pane } = await openTestSession();
  const before = tmux.spawns;
  await expect(pasteText(tmux, pane, text)).rejects.toThrow(/control characters/);
  expect(tmux.spawns).toBe(before);
});

test("keys arrive as keys; an unknown key refuses the whole call (incident 48)", async () => {
  const { home, tmux, pane } = await openTestSession();
  const heard = await listener(home, tmux, pane, 6);
  await expect(sendKeys(tmux, pane, ["y", "Entr"])).rejects.toThrow(/not a key/);
  await sendKeys(tmux, pane, ["y", "Enter", "C-u", "Escape", ";", "-"]);
  expect(await heard()).toBe("y\r\x15\x1b;-");
});
