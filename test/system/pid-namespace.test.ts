// Where /proc shows another pid namespace than our own: each pid in it is another process than hivemind means.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { HiveError } from "../../src/base/errors.js";
import { needOwnProc } from "../../src/base/system/pid-namespace.js";
import { shellWord } from "../../src/base/text/shell-word.js";
import { mainProgram, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { inNamespace, whyNoNamespace } from "../namespaces.js";

function runIn(home: TestHome, program: readonly string[], ...args: string[]) {
  const [file, ...words] = [...program, process.execPath, mainProgram, ...args];
  const options = { env: home.env, cwd: home.work, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(file!, words, options);
  return { status, stdout, stderr };
}

const withoutProc = ["unshare", "-pf", "--kill-child"];
const foreign =
  /^hivemind: cannot look at processes: .*another pid namespace.*\n {2}.*: unshare --mount-proc sh\n$/;

describe.skipIf(whyNoNamespace)("with the /proc of another pid namespace", () => {
  test.each([
    [["status"]],
    [["inbox"]],
    [["whoami"]],
    [["sessions"]],
    [["sessions", "current", "team:0.0"]],
    [["lineage"]],
    [["context"]],
    [["send", "po", "hi"]],
    [["broadcast", "hi"]],
    [["approve", "po"]],
    [["agent", "kill", "po"]],
    [["agent", "restart", "po"]],
    [["team", "restart", "team"]],
    [["save"]],
    [["queue", "list"]],
    [["watch", "--once"]],
    [["hooks", "install"]],
    [["demo", "--once"]],
  ])("%j says so", (args) => {
    const home = testHome();
    tmuxTeam(home, "team");
    const { status, stdout, stderr } = runIn(home, withoutProc, ...args);
    expect({ status, stdout }, stderr).toEqual({ status: 3, stdout: "" });
    expect(stderr).toMatch(foreign);
  });

  test.each([
    [["--version"], 0],
    [["--help"], 0],
    [["send", "--help"], 0],
    [["completion", "bash"], 0],
    [["id", "project", "agent"], 0],
    [["hooks", "install", "--print"], 0],
    [["events"], 0],
    [["nonsense"], 2],
  ])("%j works as ever", (args, code) => {
    const { status, stderr } = runIn(testHome(), withoutProc, ...args);
    expect(status, stderr).toBe(code);
  });

  test("doctor names it as the problem", () => {
    const { status, stdout } = runIn(testHome(), withoutProc, "doctor");
    expect(stdout).toMatch(
      /✗ .*could not look: cannot look at processes.*\n +start a shell.*--mount-proc sh/,
    );
    expect(status).not.toBe(0);
  });

  test("the hint works", () => {
    const status = [process.execPath, mainProgram, "status"].map(shellWord).join(" ");
    const { status: code, stdout } = spawnSync(
      withoutProc[0]!,
      [...withoutProc.slice(1), "unshare", "--mount-proc", "sh", "-c", `${status}; exit $?`],
      { env: testHome().env, encoding: "utf8" },
    );
    expect(code, stdout).toBe(0);
  });
});

test.skipIf(whyNoNamespace)("a tmux server of another pid namespace is not asked about processes", () => {
  const home = testHome();
  tmuxTeam(home, "team");
  const { status, stderr } = runIn(home, inNamespace, "status");
  expect(stderr).toMatch(
    /^hivemind: the tmux server at .* runs in another pid namespace: its pid \d+ is not/,
  );
  expect(status).toBe(3);
});

describe("/proc is judged by what it says about this process", () => {
  function fakeProc(entries: { self?: string; status?: string; others?: number[] }): string {
    const proc = mkdtempSync(join(tmpdir(), "hm-proc-"));
    onTestFinished(() => rmSync(proc, { recursive: true }));
    for (const pid of entries.others ?? []) mkdirSync(join(proc, String(pid)));
    if (entries.self === undefined) return proc;
    mkdirSync(join(proc, entries.self), { recursive: true });
    symlinkSync(entries.self, join(proc, "self"));
    if (entries.status !== undefined) writeFileSync(join(proc, entries.self, "status"), entries.status);
    return proc;
  }
  const why = (proc: string) => {
    try {
      needOwnProc(proc, 12);
      return null;
    } catch (error) {
      return error instanceof HiveError ? `${error.message}: ${error.hint}` : error;
    }
  };

  test.each([
    ["our own", { self: "12", status: "Name:\tnode\nNSpid:\t12\n" }, null],
    ["our own, on a kernel without NSpid", { self: "12", status: "Name:\tnode\n" }, null],
    ["an outer one", { self: "4012", status: "NSpid:\t4012\t12\n" }, /another pid namespace/],
    ["an outer one with the same pid", { self: "12", status: "NSpid:\t12\t12\n" }, /another pid namespace/],
    ["one in which we have no pid", { others: [1] }, /another pid namespace/],
    ["no /proc at all", {}, /it is not mounted: mount -t proc proc \//],
  ])("%s", (_, entries, expected) => {
    if (expected === null) expect(why(fakeProc(entries))).toBeNull();
    else expect(why(fakeProc(entries))).toMatch(expected);
  });
});
