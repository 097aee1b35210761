import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../transcripts/files.js";

test("a home without problems is exit code 0, one with a problem 1; both list what is fine", () => {
  const home = testHome();
  const well = hivemind(home, ["doctor"]);
  expect(well).toMatchObject({ code: 0, stderr: "" });
  expect(well.stdout).toMatch(/^ {2}[✓·] tmux \d/m);
  expect(well.stdout).toMatch(/^ {2}· no tmux server is running\n {6}tmux -S \S+ new-session -d/m);
  expect(well.stdout).toMatch(/\nno problems, .*\(\d+ checks\)\n$/);

  mkdirSync(join(home.config, "hivemind.teams.env"), { recursive: true });
  const ill = hivemind(home, ["doctor"]);
  expect(ill).toMatchObject({ code: 1, stderr: "" });
  expect(ill.stdout).toMatch(/^Problems\n {2}✗ .*hivemind\.teams\.env: refused: it is a folder\n {6}/);
  expect(ill.stdout).toMatch(/\n1 problem, /);
});

test("--json has every key of every finding, and a summary that counts them", () => {
  const { code, stdout } = hivemind(testHome(), ["doctor", "--json"]);
  const { version, findings, summary, ...rest } = JSON.parse(stdout);
  expect({ code, version, rest }).toEqual({ code: 0, version: 1, rest: {} });
  for (const finding of findings) expect(Object.keys(finding)).toEqual(["level", "check", "message", "fix"]);
  expect(summary).toMatchObject({ couldNotLook: 0, problem: 0 });
  const { ok, info, warning, problem } = summary;
  expect(ok + info + warning + problem).toBe(findings.length);
});

test("looking changes nothing, in tmux or on disk", () => {
  const home = testHome();
  tmuxTeam(home, "alpha", 2);
  mkdirSync(home.config, { mode: 0o700 });
  writeFileSync(join(home.config, "hivemind.roles.env"), "alpha:0.0|po|1\nwhat is this\n");
  writeTranscript(transcriptPath(home.claude, idOf(1)), user("one"));
  // The socket's folder holds nothing readable.
  const look = () => [home.home, home.claude, home.env.TMPDIR!, home.env.XDG_CACHE_HOME!].map(contentsOf);
  const before = look();
  const panes = home.tmux("list-panes", "-a");
  expect(hivemind(home, ["doctor"]).stdout).toContain("hivemind.roles.env:2: ");
  expect(look()).toEqual(before);
  expect(home.tmux("list-panes", "-a")).toBe(panes);
});

test.each([
  ["echo 'lost server' >&2\nexit 1", /✗ tmux .*: lost server \(not checked: .*\)\n {6}use a tmux on which/],
  ["echo what", /✗ tmux .*: unreadable answer \(not checked: .*\)\n {6}use a tmux on which/],
])("a tmux that says %j is reported with a cure, and the rest is checked (incident 64)", (said, reported) => {
  const home = testHome();
  writeFileSync(join(home.root, "tmux"), `#!/bin/sh\n${said}\n`, { mode: 0o755 });
  const { code, stdout } = hivemind(home, ["doctor"], { env: { PATH: `${home.root}:${home.env.PATH}` } });
  expect(code).toBe(1);
  expect(stdout).toMatch(reported);
  expect(stdout).not.toContain("hivemind doctor");
  expect(stdout).toContain("✓ every row of every store is readable");
});

test.each([
  [["doctor", "--prob"], /Did you mean --probe\?/],
  [["doctor", "alpha"], /too many arguments/],
])("%j is wrong usage", (args, expected) => {
  const { code, stdout, stderr } = hivemind(testHome(), args);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(expected);
});
