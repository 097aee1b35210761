import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeThrowAwayHome, removeThrowAwayHome, sweepLeftHomes } from "../../src/demo/home.js";
import { isIdle } from "../../src/demo/story.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { hivemind, mainProgram } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

const demosIn = (home: TestHome) =>
  readdirSync(home.env.TMPDIR!).filter((name) => name.startsWith("hivemind-demo-"));

test("[DH1] --once prints three agents and a shell, touches no home, and leaves nothing behind", () => {
  const home = testHome();
  const { code, stdout, stderr } = hivemind(home, ["demo", "--once"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  for (const role of ["lead", "builder", "reviewer"])
    expect(stdout).toMatch(new RegExp(`${role} +demo +idle`));
  expect(stdout).toMatch(/shell +shell/);
  expect(contentsOf(home.home)).toEqual({});
  expect(contentsOf(home.claude)).toEqual({});
  expect(demosIn(home)).toEqual([]);
});

test("[DH2] what a killed demo left is taken away by the next one, a running one is not", async () => {
  const home = testHome();
  // In a pane of its own, because without a terminal it prints once and ends.
  home.tmux(
    "new-session",
    "-d",
    "-x",
    "120",
    "-y",
    "40",
    "-s",
    "one",
    ...paneVariables(home.env),
    process.execPath,
    mainProgram,
    "demo",
  );
  const [first] = await until("the first demo shows its fleet", () =>
    home.tmux("capture-pane", "-p", "-t", "=one:").includes("Ctrl-C") ? demosIn(home) : null,
  );
  const pid = Number(home.tmux("display-message", "-p", "-t", "=one:0.0", "#{pane_pid}"));

  expect(hivemind(home, ["demo", "--once"]).code).toBe(0);
  expect(demosIn(home)).toEqual([first]);

  process.kill(pid, "SIGKILL");
  await until("it is gone", () => !existsSync(`/proc/${pid}`) || undefined);
  const socket = join(home.env.TMPDIR!, first!, "tmux.sock");
  expect(existsSync(socket)).toBe(true);
  const next = hivemind(home, ["demo", "--once"]);
  expect(next.code).toBe(0);
  expect(next.stderr).toContain("took away what an earlier demo left behind (1)");
  expect(demosIn(home)).toEqual([]);
});

test("[DH2] Ctrl-C ends the demo and leaves nothing behind", async () => {
  const home = testHome();
  home.tmux(
    "new-session",
    "-d",
    "-x",
    "120",
    "-y",
    "40",
    "-s",
    "one",
    ...paneVariables(home.env),
    "sh",
    "-c",
    `trap : INT; "${process.execPath}" "${mainProgram}" demo; echo "ended with $?"; cat`,
  );
  await until(
    "the demo shows its fleet",
    () => /lead +demo/.test(home.tmux("capture-pane", "-p", "-t", "=one:")) || undefined,
  );
  home.tmux("send-keys", "-t", "=one:0.0", "C-c");
  const screen = await until("it has ended", () => {
    const text = home.tmux("capture-pane", "-p", "-t", "=one:");
    return text.includes("ended with") && text;
  });
  expect(screen).toContain("ended with 0");
  expect(demosIn(home)).toEqual([]);
});

test("[DH2] only folders of demos that are dead are swept", async () => {
  const home = testHome();
  const folder = home.env.TMPDIR!;
  const mine = makeThrowAwayHome("demo", home.env, folder);
  const strange = join(folder, "hivemind-demo-strange");
  mkdirSync(strange);
  writeFileSync(join(strange, "precious"), "");
  writeFileSync(join(folder, "hivemind-demo-file"), "");
  expect(await sweepLeftHomes("demo", folder)).toEqual([]);
  expect(existsSync(join(strange, "precious"))).toBe(true);
  await removeThrowAwayHome(mine.root);
  expect(existsSync(mine.root)).toBe(false);
});

test("[DS1] an agent is told something only while it is idle and its keys reach it", () => {
  const pane = (activity: string | null, facts = {}) =>
    ({
      live: activity === null ? null : { activity },
      dead: false,
      inMode: false,
      ...facts,
    }) as unknown as FleetPane;
  expect(
    [
      pane("idle"),
      pane("busy"),
      pane("waiting"),
      pane(null),
      pane("idle", { inMode: true }),
      pane("idle", { dead: true }),
    ].map(isIdle),
  ).toEqual([true, false, false, false, false, false]);
});
