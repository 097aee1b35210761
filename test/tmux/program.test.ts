import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PaneId } from "../../src/names/gates.js";
import { capturePane } from "../../src/tmux/capture.js";
import { sendKeys } from "../../src/tmux/keys.js";
import { setPaneOption, splitWindow } from "../../src/tmux/pane.js";
import { noticeEnds, placeholder, respawnPane, startProgram } from "../../src/tmux/program.js";
import { newSession } from "../../src/tmux/session.js";
import { openTmux, type Tmux } from "../../src/tmux/tmux.js";
import { until } from "../home.js";
import { look, openTestSession } from "./open.js";

const seen = (tmux: Tmux, pane: PaneId, text: string) =>
  until(`"${text}" is seen`, async () => (await capturePane(tmux, pane, { historyLines: 1 })).includes(text));

const ended = (tmux: Tmux, pane: PaneId) =>
  until("the program ended", async () => (await look(tmux, pane)).dead);

test("[TP1] a program that ends leaves a dead pane with its last words and status", async () => {
  const { tmux, pane } = await openTestSession();
  const argv = ["sh", "-c", "echo last words; read answer; exit 7"];
  await startProgram(tmux, pane, { argv, env: {}, remainOnExit: true });
  await seen(tmux, pane, "last words");
  await sendKeys(tmux, pane, ["Enter"]);
  await until("its status", async () => {
    await noticeEnds(tmux);
    return (await look(tmux, pane)).deadStatus === 7;
  });
  // tmux prints below them that the pane is dead, which scrolls the first line away.
  await seen(tmux, pane, "last words");
});

test("[TP1] a program that ends at once leaves a dead pane with its options (incident 21)", async () => {
  const { tmux, pane } = await openTestSession();
  const made = await splitWindow(tmux, pane, { argv: placeholder });
  await setPaneOption(tmux, made, "@hivemind", `${made}|team:0.1|dev`);
  await startProgram(tmux, made, { argv: ["false"], env: {}, remainOnExit: true });
  await ended(tmux, made);
  expect((await look(tmux, made)).hivemind).toBe(`${made}|team:0.1|dev`);
});

test("[TP1] an ended program is restarted in its pane, which keeps its id and options", async () => {
  const { tmux, pane } = await openTestSession();
  await startProgram(tmux, pane, { argv: ["true"], env: {}, remainOnExit: true });
  await ended(tmux, pane);
  await setPaneOption(tmux, pane, "@hivemind", "kept");
  await respawnPane(tmux, pane, { argv: ["sh", "-c", "echo second; exec cat"] });
  await seen(tmux, pane, "second");
  expect(await look(tmux, pane)).toMatchObject({ dead: false, hivemind: "kept" });
});

test("[TP4] without a program a pane restarts with the user's shell, never with the last program", async () => {
  const { tmux, pane } = await openTestSession();
  await tmux.run(["set-option", "-g", "default-shell", "/bin/sh"]);
  await startProgram(tmux, pane, { argv: ["sh", "-c", "echo last; exec cat"], env: {}, remainOnExit: true });
  await seen(tmux, pane, "last");
  await respawnPane(tmux, pane, {});
  await until("a shell", async () => (await look(tmux, pane)).command === "sh");
  await tmux.run(["set-option", "-g", "default-command", "echo 'of my own'; exec cat"]);
  await respawnPane(tmux, pane, {});
  await seen(tmux, pane, "of my own");
  expect((await look(tmux, pane)).command).toBe("cat");
});

test("[TP1] without remainOnExit the pane closes with its program", async () => {
  const { tmux, pane } = await openTestSession();
  const made = await splitWindow(tmux, pane, { argv: placeholder });
  await startProgram(tmux, made, { argv: ["true"], env: {}, remainOnExit: false });
  await until("the pane is gone", async () =>
    look(tmux, made).then(
      () => false,
      () => true,
    ),
  );
  expect((await look(tmux, pane)).dead).toBe(false);
});

test("[TP1] arguments arrive unchanged: no shell, no end of command", async () => {
  const { tmux, pane } = await openTestSession();
  const words = ["$HOME", "a  b", "c;", ";", "#{pid}", "`id`", "ü'\"", "-e"];
  const argv = ["sh", "-c", 'printf "[%s]" "$@"; exec cat', "sh", ...words];
  await startProgram(tmux, pane, { argv, env: {}, remainOnExit: true });
  await seen(tmux, pane, words.map((word) => `[${word}]`).join(""));
});

test("[TP1] a program without arguments is not given to a shell", async () => {
  const { home, tmux, pane } = await openTestSession();
  const program = join(home.work, "two words; echo bad");
  writeFileSync(program, "#!/bin/sh\necho good\nexec cat\n", { mode: 0o755 });
  await startProgram(tmux, pane, { argv: [program], env: {}, remainOnExit: true });
  await seen(tmux, pane, "good");
});

test("[TP1] a missing program is named in its pane", async () => {
  const { tmux, pane } = await openTestSession();
  // On a busy machine tmux may lose the output of a program that ends at once, so this is repeated if needed.
  await until("it is named", async () => {
    await startProgram(tmux, pane, { argv: ["no-such-agent"], env: {}, remainOnExit: true });
    await ended(tmux, pane);
    return (await capturePane(tmux, pane, { historyLines: 1 })).includes("no-such-agent");
  });
});

test("[TP2] requested variables are there, the caller's others are not, and PATH decides which program is found", async () => {
  const { home, pane } = await openTestSession();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "agent"), '#!/bin/sh\necho "[$ROLE][$LATER]"\nexec cat\n');
  chmodSync(join(bin, "agent"), 0o755);
  const later = openTmux({ env: { ...home.env, LATER: "caller" }, configFile: "/dev/null" });
  const env = { ROLE: "dev #{pid};", PATH: `${bin}:${home.env.PATH}` };
  await startProgram(later, pane, { argv: ["agent"], env, remainOnExit: true });
  await seen(later, pane, "[dev #{pid};][]");
});

test("[TP2] a new session and a split get their variables too", async () => {
  const { tmux, pane } = await openTestSession();
  const argv = ["sh", "-c", 'echo "<$ROLE>"; exec cat'];
  const env = { ROLE: "dev" };
  const split = await splitWindow(tmux, pane, { argv, env });
  const { pane: fresh } = await newSession(tmux, { name: "fresh", argv, env });
  for (const made of [split, fresh]) {
    await until("its variable", async () => (await capturePane(tmux, made)).includes("<dev>"));
  }
});

test("[TP3] a program starts in the requested folder; a missing one is refused and nothing is replaced", async () => {
  const { home, tmux, pane } = await openTestSession();
  const cwd = join(home.work, "a#(touch hacked)");
  mkdirSync(cwd);
  await startProgram(tmux, pane, { argv: ["cat"], cwd, env: {}, remainOnExit: true });
  await until("the folder", async () => (await look(tmux, pane)).cwd === realpathSync(cwd));
  const { pid } = await look(tmux, pane);
  const start = startProgram(tmux, pane, {
    argv: ["true"],
    cwd: join(cwd, "gone"),
    env: {},
    remainOnExit: true,
  });
  await expect(start).rejects.toThrow(/no folder/);
  expect((await look(tmux, pane)).pid).toBe(pid);
});
