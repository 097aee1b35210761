import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fingerprint } from "../../src/names/fingerprint.js";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf, title, transcriptPath, user, writeTranscript } from "../transcripts/files.js";

interface Row {
  id: string;
  cwd: string | null;
  title: string | null;
  [key: string]: unknown;
}

function list(home: TestHome, args: string[] = [], cwd = home.work): Row[] {
  const { code, stdout, stderr } = hivemind(home, ["sessions", "--json", ...args], { cwd });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout).sessions;
}

function save(home: TestHome, number: number, cwd: string, name: string): string {
  const path = transcriptPath(home.claude, idOf(number), projectSlug(cwd));
  return writeTranscript(path, title(name), user(`message-${number}`, { cwd }));
}

test("a running session and its fork without messages, with every key", async () => {
  const home = testHome();
  const parent = startAgent(home, ["--session-id", idOf(1), "-n", "mgr"]);
  await parent.becomes("idle");
  await parent.say("one [usage 50000]");
  const child = startAgent(home, ["--resume", idOf(1), "--fork-session", "--session-id", idOf(2)]);
  await child.becomes("idle");
  const address = (pane: string) =>
    home.tmux("display-message", "-p", "-t", pane, "#{session_name}:#{window_index}.#{pane_index}").trim();
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const both = {
    ...{
      agent: "demo",
      cwd: home.work,
      fingerprint: fingerprint(home.work),
      createdAt: time,
      updatedAt: time,
    },
    ...{ lifecycle: "running", abandoned: null, branch: null, worktree: null, worktreeUnknown: null },
  };
  const rows = list(home).sort((a, b) => (a.id < b.id ? -1 : 1));
  expect(rows).toEqual([
    {
      ...both,
      id: idOf(1),
      title: "mgr",
      model: expect.stringMatching(/^claude-/),
      context: { used: 50_000, window: 1_000_000 },
      parent: null,
      forkPoint: null,
      messages: 2,
      sizeBytes: expect.any(Number),
      gitBranch: expect.anything(),
      path: transcriptPath(home.claude, idOf(1), projectSlug(home.work)),
      pane: address(parent.pane),
      lastPane: address(parent.pane),
      background: null,
      state: "live",
    },
    {
      ...both,
      id: idOf(2),
      title: expect.stringMatching(/^mgr/),
      model: null,
      context: null,
      parent: idOf(1),
      forkPoint: null,
      messages: null,
      sizeBytes: null,
      gitBranch: null,
      path: null,
      pane: address(child.pane),
      lastPane: address(child.pane),
      background: null,
      state: "stable",
    },
  ]);

  await child.say("two");
  const [spoken] = list(home).filter(({ id }) => id === idOf(2));
  const shared = parent.transcript(idOf(1))!.filter(({ type }) => type === "assistant");
  expect(spoken).toMatchObject({ parent: idOf(1), forkPoint: shared.at(-1)!.uuid, state: "live" });

  process.kill(child.pid, "SIGKILL");
  const ended = await until("its end is seen", () =>
    list(home).find(({ id, state }) => id === idOf(2) && state === "stale"),
  );
  expect(ended).toMatchObject({ pane: null, agent: "claude", context: { window: 1_000_000 } });
  expect(ended).toMatchObject({ lifecycle: "idle shell", lastPane: address(child.pane) });
});

test("two folders with the same slug do not see each other's sessions, nor does a third folder", () => {
  const home = testHome();
  const [first, second] = [join(home.work, "a", "b-c"), join(home.work, "a-b", "c")];
  for (const folder of [first, second]) mkdirSync(folder, { recursive: true });
  expect(projectSlug(first)).toBe(projectSlug(second));
  save(home, 1, first, "of the first");
  save(home, 2, second, "of the second");
  expect(list(home, [], first).map(({ id }) => id)).toEqual([idOf(1)]);
  expect(list(home, [], second).map(({ id }) => id)).toEqual([idOf(2)]);
  symlinkSync(first, join(home.work, "link"));
  expect(list(home, [], join(home.work, "link"))).toMatchObject([{ id: idOf(1), cwd: first }]);
  expect(list(home)).toEqual([]);
  expect(list(home, ["--all"]).map(({ cwd }) => cwd)).toEqual(expect.arrayContaining([first, second]));
});

test("two files of one id: both workspaces see their own", () => {
  const home = testHome();
  const [first, second] = [join(home.work, "one"), join(home.work, "two")];
  for (const folder of [first, second]) mkdirSync(folder);
  const paths = [save(home, 1, first, "in one"), save(home, 1, second, "in two")];
  expect(list(home, [], first)).toMatchObject([{ title: "in one", path: paths[0] }]);
  expect(list(home, [], second)).toMatchObject([{ title: "in two", path: paths[1] }]);
  expect(list(home, ["--all"])).toHaveLength(2);
});

test("the boundary is visible: folder, fingerprint, and how many sessions are outside", () => {
  const home = testHome();
  const other = join(home.work, "other");
  mkdirSync(other);
  const mark = fingerprint(home.work);
  const run = (...args: string[]) => hivemind(home, ["sessions", ...args]).stdout;
  expect(run()).toBe(`No sessions in ${home.work} (fingerprint ${mark}).\nSessions in other folders: none\n`);
  save(home, 1, other, "far");
  expect(run()).toContain("\nSessions in other folders: 1 (hivemind sessions --all)\n");
  const clawFolder = join(home.work, ".claw/sessions", mark);
  mkdirSync(clawFolder, { recursive: true });
  expect(run()).toContain(`\nclaw keeps its sessions for this folder in ${clawFolder}\n`);
  save(home, 2, home.work, "near");
  expect(run()).toMatch(
    new RegExp(
      `^${home.work}  fingerprint ${mark}, 1 session\nSESSION .*\n00000000  claude  saved .* near\n$`,
    ),
  );
  expect(run("--help")).toContain(`This folder is ${home.work}, fingerprint ${mark}.`);
  expect(run("--all")).toMatch(/^every folder {2}2 sessions\n.* FOLDER +TITLE\n/);
});

test("--title ignores case, and titles are escaped for the terminal", () => {
  const home = testHome();
  save(home, 1, home.work, "Review of \u001b[2J\u202ethe API");
  save(home, 2, home.work, "漢字".repeat(500));
  save(home, 3, home.work, "other");
  expect(list(home, ["--title", "REVIEW"]).map(({ id }) => id)).toEqual([idOf(1)]);
  const { stdout } = hivemind(home, ["sessions"]);
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  for (const line of stdout.split("\n").slice(1)) expect(line.length).toBeLessThan(160);
  expect(hivemind(home, ["sessions", "--title", "(nowhere"]).stdout).toMatch(/0 of 3 sessions\n$/);
});

test("listing writes nothing except the cache", () => {
  const home = testHome();
  save(home, 1, home.work, "one");
  const before = contentsOf(home.root);
  for (const command of ["sessions", "lineage"]) expect(hivemind(home, [command, "--all"]).code).toBe(0);
  const after = contentsOf(home.root);
  for (const name of Object.keys(after)) if (name.startsWith("cache")) delete after[name];
  for (const name of Object.keys(before)) if (name.startsWith("cache")) delete before[name];
  expect(after).toEqual(before);
});

test("unreadable is not empty: exit code 3 (incident 64)", () => {
  const home = testHome();
  symlinkSync("projects", join(home.claude, "projects"));
  for (const command of ["sessions", "lineage"]) {
    const { code, stderr } = hivemind(home, [command]);
    expect({ command, code }).toEqual({ command, code: 3 });
    expect(stderr).toContain(`could not read ${join(home.claude, "projects")}`);
  }
});
