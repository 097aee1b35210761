// The handler, run by every available shell as the client would run it.

import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { uptime } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import {
  type HookEventName,
  handler,
  hookCommand,
  hookEvents,
  isHookCommand,
  launchSettings,
} from "../../src/agents/claude/hooks/handler.js";
import { ownIdentity } from "../../src/base/system/process-identity.js";
import { limits } from "../../src/limits.js";
import { openHookReports } from "../../src/stores/hooks/hook-reports.js";
import { testHome } from "../home.js";
import { openShells, type Shell } from "./shells.js";

const { shells, remove } = openShells();
afterAll(remove);

function open(name = 'it\'s a "folder" $(touch x) `y` \\') {
  const { root, env } = testHome();
  const reports = openHookReports(join(root, name));
  reports.placeHandlers([handler]);
  const inside = { ...env, TMUX: "/tmp/a socket,é,42,0", TMUX_PANE: "%5" };
  return { root, reports, env: inside };
}

type Opened = ReturnType<typeof open>;

function run(
  { argv: [program, ...args], PATH }: Pick<Shell, "argv" | "PATH">,
  { reports, env, root }: Opened,
  input: string,
  event?: HookEventName,
) {
  const command = hookCommand(reports.folder, event ?? "Stop");
  const variables = PATH === null ? env : { ...env, PATH };
  const ran = spawnSync(program!, [...args, "-c", command], {
    env: variables,
    input,
    encoding: "utf8",
    cwd: root,
  });
  return { code: ran.status, printed: ran.stdout + ran.stderr };
}

const silent = { code: 0, printed: "" };

describe.each(shells.map((shell) => [shell.name, shell] as const))("the handler under %s", (_, shell) => {
  test("reports the client's input, its process and its pane, readable by its owner only", () => {
    const opened = open();
    const said = JSON.stringify({ session_id: "a", prompt: 'é "$(touch x)" \\ \n %s' });
    expect(run(shell, opened, said)).toEqual(silent);
    const { reports, problems } = opened.reports.read();
    expect(problems).toEqual([]);
    expect(reports).toMatchObject([
      {
        event: "Stop",
        pid: process.pid,
        tmux: "/tmp/a socket,é,42,0",
        pane: "%5",
        input: JSON.parse(said),
      },
    ]);
    expect(Math.abs(reports[0]!.atMs - Date.now())).toBeLessThan(60_000);
    const { folder } = opened.reports;
    expect(readdirSync(folder).sort()).toEqual([reports[0]!.name, handler.name].sort());
    expect(statSync(join(folder, reports[0]!.name)).mode & 0o777).toBe(0o600);
    expect(readdirSync(opened.root)).not.toContain("x");
  });

  test("starts neither node nor hivemind: a fleet that works runs it all the time", () => {
    const opened = open();
    const fakes = join(opened.root, "fakes");
    mkdirSync(fakes);
    for (const name of ["node", "hivemind", "hm"])
      writeFileSync(join(fakes, name), '#!/bin/sh\n: > "$0.ran"\n', { mode: 0o755 });
    Object.assign(opened.env, { PATH: `${fakes}:${process.env.PATH}` });
    const events = hookEvents.filter((event) => event !== "PermissionRequest");
    for (const event of events) expect(run(shell, opened, "{}", event)).toEqual(silent);
    expect(
      opened.reports
        .read()
        .reports.map(({ event }) => event)
        .sort(),
    ).toEqual([...events].sort());
    expect(readdirSync(fakes).sort()).toEqual(["hivemind", "hm", "node"]);
  });

  test.each([
    ['x","pid":1,"y":"', "%5"],
    ["a\nb,1,0", "%5"],
    ["a\\", "%5"],
    ["a\u001b[2J,1,0", "%5"],
    ["$(touch x)`touch x`,1,0", "%5$(touch x)"],
    ["", ""],
    ["/tmp/s,1,0", "%"],
    ["/tmp/s,1,0", '%1"'],
    ["/tmp/s,1,0", "5"],
    ["x".repeat(100_000), "%5"],
  ])("TMUX %j and TMUX_PANE %j cannot break out of its line", (tmux, pane) => {
    const opened = open();
    Object.assign(opened.env, { TMUX: tmux, TMUX_PANE: pane });
    expect(run(shell, opened, '{"a":1}')).toEqual(silent);
    const { reports, problems } = opened.reports.read();
    expect(problems).toEqual([]);
    const isPlain = !/["\\\p{Cc}]/u.test(tmux) && tmux !== "";
    expect(reports).toMatchObject([
      { pid: process.pid, tmux: isPlain ? tmux : null, pane: pane === "%5" ? "%5" : null, input: { a: 1 } },
    ]);
    expect(readdirSync(opened.root)).not.toContain("x");
  });

  test.each([
    ["the largest input", limits.hookInputBytes, true],
    ["one byte more", limits.hookInputBytes + 1, false],
    ["far more", 5_000_000, false],
  ])("keeps all or nothing of %s", (_, bytes, isKept) => {
    const opened = open();
    const frame = JSON.stringify({ a: "" }).length;
    expect(run(shell, opened, JSON.stringify({ a: "x".repeat(bytes - frame) }))).toEqual(silent);
    const [report] = opened.reports.read().reports;
    expect(report).toMatchObject({ event: "Stop", pane: "%5" });
    expect(report!.input === null).toBe(!isKept);
    expect(statSync(join(opened.reports.folder, report!.name)).size < 200).toBe(!isKept);
  });

  test.each(["", "\n\n", "not JSON", '{"half', "\0\u0001", "[]", '{"event":"Forged","pid":1}\n'])(
    "the input %j is still a report",
    (said) => {
      const opened = open();
      expect(run(shell, opened, said)).toEqual(silent);
      expect(opened.reports.read()).toMatchObject({
        reports: [{ event: "Stop", pid: process.pid }],
        problems: [],
      });
    },
  );

  test("prints nothing and exits 0 if it is missing, broken, or cannot write", () => {
    const opened = open();
    const { folder } = opened.reports;
    const breakages = [
      () => writeFileSync(join(folder, handler.name), "if ( ;; then"),
      () => writeFileSync(join(folder, handler.name), "exit 2"),
      () => rmSync(join(folder, handler.name)),
      () => mkdirSync(join(folder, handler.name)),
      () => rmSync(folder, { recursive: true }),
    ];
    for (const damage of breakages) {
      damage();
      expect(run(shell, opened, '{"a":1}')).toEqual(silent);
    }
    opened.reports.placeHandlers([handler]);
    const [program, ...args] = shell.argv;
    const lost = `PATH=/nowhere; ${hookCommand(folder, "Stop")}`;
    const ran = spawnSync(program!, [...args, "-c", lost], {
      env: opened.env,
      input: "{}",
      encoding: "utf8",
    });
    expect(ran).toMatchObject({ status: 0, stdout: "", stderr: "" });
  });

  test("has the machine's uptime, whatever variables of those names hold", () => {
    const opened = open();
    Object.assign(opened.env, { boot: '"x', up: "-1", rest: "y" });
    expect(run(shell, opened, "{}")).toEqual(silent);
    const { folder } = opened.reports;
    const [name] = readdirSync(folder).filter((each) => each.endsWith(".json"));
    const noted = JSON.parse(readFileSync(join(folder, name!), "utf8").split("\n")[0]!);
    expect(noted.boot).toBe(process.platform === "linux" ? ownIdentity().boot : "");
    expect(Math.abs(Number(noted.up) - uptime())).toBeLessThan(process.platform === "linux" ? 60 : Infinity);
  });

  test("keeps the last report of a kind, and every start and end of a session", () => {
    const opened = open();
    for (let round = 0; round < 3; round++) {
      for (const event of ["Stop", "SessionStart"] as const) run(shell, opened, `{"round":${round}}`, event);
    }
    const { reports } = opened.reports.read();
    const rounds = (event: string) =>
      reports
        .filter((each) => each.event === event)
        .map(({ input }) => input!.round)
        .sort();
    expect(rounds("Stop")).toEqual([2]);
    expect(rounds("SessionStart")).toEqual([0, 1, 2]);
  });
});

test("a reader finds only whole reports while many are written", async () => {
  const { reports, env } = open();
  const said = JSON.stringify({ text: "x".repeat(50_000) });
  const ended = Array.from({ length: 20 }, (_, at) => {
    const child = spawn("sh", ["-c", hookCommand(reports.folder, at % 2 ? "Stop" : "SessionStart")], { env });
    child.stdin.end(said);
    return new Promise<void>((resolve) => child.on("close", () => resolve()));
  });
  let isOver = false;
  void Promise.all(ended).then(() => {
    isOver = true;
  });
  while (!isOver) {
    const { reports: seen, problems } = reports.read();
    expect(problems).toEqual([]);
    for (const { input } of seen) expect(input).not.toBeNull();
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(reports.read().reports).toHaveLength(11);
});

test("a launch's settings have one command with a timeout per event, recognised as ours", () => {
  const { hooks } = launchSettings("/x");
  for (const [event, groups] of Object.entries(hooks)) {
    const timeout = event === "PermissionRequest" ? limits.requestSeconds : limits.hookTimeoutSeconds;
    expect(groups).toMatchObject([{ hooks: [{ type: "command", timeout }] }]);
    expect(isHookCommand(groups[0]!.hooks[0]!.command)).toBe(true);
  }
});
