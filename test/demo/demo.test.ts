import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identityText, ownIdentity } from "../../src/base/system/process-identity.js";
import { findProcess } from "../../src/base/system/processes.js";
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

/** A demo at a terminal of its own, because without one it prints once and ends. */
async function demoIn(home: TestHome, ...program: string[]) {
  const size = ["-x", "120", "-y", "34"];
  home.tmux("new-session", "-d", ...size, "-s", "other", "cat");
  home.tmux("new-session", "-d", ...size, "-s", "one", ...paneVariables(home.env), ...program);
  const screen = () => home.tmux("capture-pane", "-p", "-t", "=one:");
  const press = (...keys: string[]) => void home.tmux("send-keys", "-t", "=one:", ...keys);
  const pid = Number(home.tmux("display-message", "-p", "-t", "=one:", "#{pane_pid}"));
  // It ends before the test's folder is removed: without its socket it could not end its own tmux server.
  onTestFinished(async () => {
    if (isRunning(pid)) process.kill(pid, "SIGHUP");
    await until("the demo has ended", () => demosIn(home).length === 0);
  });
  await until("the demo shows its fleet", () => /reviewer +waiting/.test(screen()));
  const [name] = demosIn(home);
  const root = join(home.env.TMPDIR!, name!);
  const shows = (what: string, text: RegExp) => until(what, () => text.test(screen()) && screen());
  const ask = (...words: string[]) => execFileSync(join(root, "bin/hivemind"), words, { encoding: "utf8" });
  return { root, pid, screen, press, shows, ask };
}

/** Under load tmux sometimes leaves an ended program in the process table. */
const isRunning = (pid: number) => findProcess(pid) !== null;

const demoWords = [process.execPath, mainProgram, "demo"];
const demoThenWords = [
  ...["sh", "-c"],
  `trap : INT; "${process.execPath}" "${mainProgram}" demo; echo "ended with $?"; cat`,
];

/** Every process that has this folder in its environment: agents, hooks, the watcher, the tmux server. */
function processesOf(root: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, "utf8").includes(root);
      } catch {
        // It has ended meanwhile.
        return false;
      }
    });
}

async function leavesNothing(home: TestHome, root: string): Promise<void> {
  await until("no process of the demo is left", () => processesOf(root).length === 0);
  expect(demosIn(home)).toEqual([]);
  expect(contentsOf(home.claude)).toEqual({});
}

test("the demo comes up in top with its guidance, a watcher and a waiting request", async () => {
  const home = testHome();
  const { root, screen, ask } = await demoIn(home, ...demoWords);
  expect(screen()).toContain("The reviewer waits for you: a approves");
  expect(screen()).toContain(`tmux -S ${root}/tmux.sock attach`);
  expect(screen()).toContain(`${root}/bin/hivemind status`);
  expect(screen()).not.toContain("no watcher");
  const { items } = JSON.parse(ask("inbox", "--json"));
  expect(items).toMatchObject([{ kind: "request", who: "reviewer" }]);
  expect(JSON.stringify(items)).toContain("npm test");
});

test("the demo's address opens its page once, and acts on the demo's fleet alone", async () => {
  const home = testHome();
  const { screen, ask } = await demoIn(home, ...demoWords);
  const [link] = /http:\/\/127\.0\.0\.1:\d+\/#secret=[\w-]{43}(?= *$)/m.exec(screen()) ?? [];
  expect(link, screen()).toBeDefined();
  const [url, secret] = link!.split("#secret=") as [string, string];
  const headers = { "content-type": "application/json" };
  const login = () =>
    fetch(`${url}api/v1/login`, { method: "POST", headers, body: JSON.stringify({ secret }) });
  const { token } = (await (await login()).json()) as { token: string };
  expect((await login()).status).toBe(401);
  const known = { ...headers, authorization: `Bearer ${token}` };
  const facts = await fetch(`${url}api/v1/server`, { headers: known });
  expect(await facts.json()).toMatchObject({ allowsActions: true, allowsTyping: false });
  const body = JSON.stringify({ name: "reviewer" });
  const approved = await fetch(`${url}api/v1/approve`, { method: "POST", headers: known, body });
  expect(approved.status, await approved.text()).toBe(200);
  expect(ask("events")).toMatch(/request\.decided approved .*web/);
});

test("a and y approve the request, and the conversation records it", async () => {
  const home = testHome();
  const { root, press, shows } = await demoIn(home, ...demoWords);
  press("a");
  await shows("the command is shown", /npm test[\s\S]*Approve this\? y\/n/);
  press("y");
  await shows("it is approved", /reviewer: approved Bash: npm test/);
  const projects = join(root, "client/projects");
  const transcripts = readdirSync(projects, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".jsonl"),
  );
  const records = transcripts.flatMap((name) => readFileSync(join(projects, name), "utf8").split("\n"));
  const decisions = records.filter((record) => record.includes('"hook_permission_decision"'));
  expect(decisions.map((record) => JSON.parse(record).attachment.decision)).toEqual(["allow"]);
});

test("the story forks the lead, and leaves an ended agent ended until it is brought back", async () => {
  const home = testHome();
  const { press, shows } = await demoIn(home, ...demoWords);
  press("K");
  await shows("top asks", /End reviewer\? y\/n/);
  press("y");
  await shows("it has ended", /ended reviewer/);
  const fork = await shows("the fork", /second +idle/);
  expect(fork).toMatch(/reviewer +away/);
  press("R");
  await shows("top asks", /Restart reviewer\? y\/n/);
  press("y");
  await shows("it is back", /reviewer +(idle|busy|waiting)/);
});

test("B brings back a team whose tmux session is gone", async () => {
  const home = testHome();
  const { root, press, shows } = await demoIn(home, ...demoWords);
  execFileSync("tmux", ["-S", join(root, "tmux.sock"), "kill-session", "-t", "=docs"]);
  await shows("the writer is away", /writer +away/);
  press("B");
  await shows("top asks", /Bring the saved teams back\? y\/n/);
  press("y");
  await shows("the writer is back", /writer +(idle|busy)/);
});

test("a command typed in top runs in the demo's own home", async () => {
  const home = testHome();
  const { root, press, shows } = await demoIn(home, ...demoWords);
  press(":", "e", "n", "v", "Enter");
  const screen = await shows("the command has run", /Enter returns to top/);
  expect(screen).toContain(`HIVEMIND_CONFIG_DIR        ${root}/config`);
});

test("what a killed demo left is taken away by the next one, a running one is not", async () => {
  const home = testHome();
  const { root, pid } = await demoIn(home, ...demoWords);
  const [first] = demosIn(home);

  expect(hivemind(home, ["demo", "--once"]).code).toBe(0);
  expect(demosIn(home)).toEqual([first]);

  process.kill(pid, "SIGKILL");
  await until("it is gone", () => !isRunning(pid));
  expect(existsSync(join(root, "tmux.sock"))).toBe(true);
  expect(processesOf(root)).not.toEqual([]);
  const next = hivemind(home, ["demo", "--once"]);
  expect(next.code).toBe(0);
  expect(next.stderr).toContain("removed what an earlier demo left behind (1)");
  await leavesNothing(home, root);
});

test.each([["q"], ["C-c"]])("%s ends the demo and leaves nothing behind", async (key) => {
  const home = testHome();
  const { root, press, shows } = await demoIn(home, ...demoThenWords);
  press(key);
  const screen = await shows("it has ended", /ended with/);
  expect(screen).toContain("the demo has ended and left nothing behind\nended with 0");
  await leavesNothing(home, root);
});

test.each(["SIGTERM", "SIGHUP"] as const)("%s ends the demo and leaves nothing behind", async (signal) => {
  const home = testHome();
  const { root, pid } = await demoIn(home, ...demoWords);
  process.kill(pid, signal);
  await until("it has ended", () => !isRunning(pid));
  await leavesNothing(home, root);
});

test("closing the demo's terminal ends it and leaves nothing behind", async () => {
  const home = testHome();
  const { root, pid } = await demoIn(home, ...demoWords);
  home.tmux("kill-session", "-t", "=one");
  await until("it has ended", () => !isRunning(pid) || home.tmux("run-shell", "true") === null);
  await leavesNothing(home, root);
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
