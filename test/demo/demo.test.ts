import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { identityText, ownIdentity } from "../../src/base/processes/process-identity.js";
import {
  findLeftHomes,
  makeThrowAwayHome,
  removeLeftHomes,
  removeThrowAwayHome,
} from "../../src/demo/home.js";
import { isIdle } from "../../src/demo/story.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { hivemind, mainProgram } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

const demosIn = (home: TestHome) =>
  readdirSync(home.env.TMPDIR!).filter((name) => name.startsWith("hivemind-demo-"));

test("--once prints three agents and a shell, touches no home, and leaves nothing behind", () => {
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

test("what a killed demo left is taken away by the next one, a running one is not", async () => {
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
  expect(next.stderr).toContain("removed what an earlier demo left behind (1)");
  expect(demosIn(home)).toEqual([]);
});

test("Ctrl-C ends the demo and leaves nothing behind", async () => {
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

test("closing the demo's terminal ends it and leaves nothing behind", async () => {
  const home = testHome();
  const size = ["-x", "120", "-y", "40"];
  home.tmux("new-session", "-d", ...size, "-s", "other", "cat");
  const program = [process.execPath, mainProgram, "demo"];
  home.tmux("new-session", "-d", ...size, "-s", "one", ...paneVariables(home.env), ...program);
  await until("the demo shows its fleet", () =>
    /lead +demo/.test(home.tmux("capture-pane", "-p", "-t", "=one:")),
  );
  const pid = Number(home.tmux("display-message", "-p", "-t", "=one:0.0", "#{pane_pid}"));
  home.tmux("kill-session", "-t", "=one");
  await until("it has ended", () => !existsSync(`/proc/${pid}`) || home.tmux("run-shell", "true") === null);
  expect(demosIn(home)).toEqual([]);
});

test("only folders of demos that are dead are swept", async () => {
  const home = testHome();
  const folder = home.env.TMPDIR!;
  const mine = makeThrowAwayHome("demo", home.env, folder);
  const strange = join(folder, "hivemind-demo-strange");
  mkdirSync(strange);
  writeFileSync(join(strange, "precious"), "");
  writeFileSync(join(folder, "hivemind-demo-file"), "");
  expect(await removeLeftHomes("demo", folder)).toEqual([]);
  expect(existsSync(join(strange, "precious"))).toBe(true);
  await removeThrowAwayHome(mine.root);
  expect(existsSync(mine.root)).toBe(false);
});

const ours = identityText(ownIdentity());
const dead = identityText({ ...ownIdentity(), start: "0" });

test.each<[string, string, string[], boolean]>([
  ["one whose owner is dead", "hivemind-demo-Ab12cd", [`owner=${dead}`, "notes=mine"], true],
  ["one that was killed while it was made", "hivemind-demo-Ab12cd", [], true],
  ["one that was killed while it was taken away", "hivemind-demo-Ab12cd", ["work/", "tmux.sock="], true],
  ["not one whose owner runs", "hivemind-demo-Ab12cd", [`owner=${ours}`], false],
  ["not one without an owner that holds something else", "hivemind-demo-Ab12cd", ["notes=mine"], false],
  ["not one with a word in place of its owner", "hivemind-demo-Ab12cd", ["owner=me", "notes=mine"], false],
  ["not one whose owner cannot be read", "hivemind-demo-Ab12cd", ["owner/"], false],
  ["not one of another name", "hivemind-demo-notes", [`owner=${dead}`], false],
  ["not one of a longer name", "hivemind-demo-my-Ab12cd", [], false],
])("swept is %s", (_, name, entries, isLeft) => {
  const folder = testHome().env.TMPDIR!;
  const root = join(folder, name);
  mkdirSync(root);
  for (const entry of entries) {
    const [path, text] = entry.split("=") as [string, string?];
    if (text === undefined) mkdirSync(join(root, path));
    else writeFileSync(join(root, path), text);
  }
  utimesSync(root, 1, 1);
  expect(findLeftHomes("demo", folder)).toEqual(isLeft ? [root] : []);
});

test("a temporary folder in which no tmux socket can lie is refused in words, and nothing is left in it", () => {
  const home = testHome();
  const long = join(home.env.TMPDIR!, "x".repeat(80));
  mkdirSync(long);
  for (const [TMPDIR, why] of [
    [long, "too long"],
    [join(home.root, "none"), "cannot be used (ENOENT)"],
  ] as const) {
    const { code, stderr } = hivemind(home, ["demo", "--once"], { env: { TMPDIR } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) });
    expect(stderr).toContain("TMPDIR=/tmp");
  }
  expect(readdirSync(long)).toEqual([]);
});

test("what was left where no tmux socket could lie is taken away like any other", async () => {
  const folder = join(testHome().env.TMPDIR!, "x".repeat(80));
  const root = join(folder, "hivemind-demo-Ab12cd");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "owner"), dead);
  expect(await removeLeftHomes("demo", folder)).toEqual([root]);
  expect(existsSync(root)).toBe(false);
});

test("a message is typed only into an idle agent whose pane takes keys", () => {
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
