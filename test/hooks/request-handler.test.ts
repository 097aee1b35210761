// The handler of permission requests, run by every available shell as the client would run it.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { hookCommand } from "../../src/agents/claude/hooks/handler.js";
import { requestHandler } from "../../src/agents/claude/hooks/request-handler.js";
import { limits } from "../../src/limits.js";
import { openHookReports } from "../../src/stores/hooks/hook-reports.js";
import { openRequests, type RequestFile } from "../../src/stores/hooks/requests.js";
import { testHome, until } from "../home.js";
import { openShells, type Shell } from "./shells.js";

const { shells, remove } = openShells();
afterAll(remove);
const sh = shells[0]!;

const bash = { session_id: "s", tool_name: "Bash", tool_input: { command: "touch 'é' $(x) \\ %s" } };

/** The hook as a client starts it: detached, with the request on its standard input. */
function open(name = "it's a $(touch x) folder") {
  const { root, env } = testHome();
  const folder = join(root, name);
  openHookReports(folder).placeHandlers([requestHandler]);
  const requests = openRequests(join(folder, "requests"));
  const inside = { ...env, TMUX: "/tmp/s,42,0", TMUX_PANE: "%5" };
  const ask = ({ argv: [program, ...args], PATH }: Shell, input: string = JSON.stringify(bash)) => {
    const command = hookCommand(folder, "PermissionRequest");
    const variables = PATH === null ? inside : { ...inside, PATH };
    const child = spawn(program!, [...args, "-c", command], { env: variables, cwd: root, detached: true });
    let printed = "";
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding("utf8").on("data", (chunk) => (printed += chunk));
    const ended = new Promise<{ code: number | null; printed: string }>((end) =>
      child.on("close", (code) => end({ code, printed })),
    );
    child.stdin!.on("error", () => {});
    child.stdin!.end(input);
    onTestFinished(() => void child.kill("SIGKILL"));
    return { child, ended };
  };
  const seen = () => until("the request", () => requests.read()[0]);
  const names = () => readdirSync(requests.folder);
  return { root, folder, requests, ask, seen, names };
}

/** As a client that stays, whose child the hook is. */
const silent = { code: 0, printed: "" };

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

describe.each(shells.map((shell) => [shell.name, shell] as const))("under %s", (_, shell) => {
  test("[RQ2] a request waits with all its bytes, and the answer is handed to the client", async () => {
    const { root, requests, ask, seen, names } = open();
    const { child, ended } = ask(shell);
    const request = await seen();
    expect(request).toMatchObject({
      ...{ event: "PermissionRequest", pid: process.pid, hook: child.pid, pane: "%5", input: bash },
    });
    expect(statSync(requests.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(requests.folder, `${request.name}.json`)).mode & 0o777).toBe(0o600);
    expect(await requests.answer(request, '{"yes":"%s \\\\n"}')).toBe(true);
    expect(await ended).toEqual({ code: 0, printed: '{"yes":"%s \\\\n"}' });
    expect(names()).toEqual([]);
    expect(readdirSync(root)).not.toContain("x");
    expect(await requests.answer(request, "{}")).toBe(false);
  });

  test("[RQ2] a request that was replaced after it was shown gets no answer", async () => {
    const { requests, ask, seen } = open();
    const { child, ended } = ask(shell);
    const request = await seen();
    const path = join(requests.folder, `${request.name}.json`);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("touch", "rm -rf"));
    expect(await requests.answer(request, "{}")).toBe(false);
    expect(isAlive(child)).toBe(true);
    // Even an answer to the replaced file is none for this hook.
    const [replaced] = requests.read();
    expect(await requests.answer(replaced!, "{}")).toBe(true);
    expect(await ended).toEqual(silent);
  });

  test.each(["SIGTERM", "SIGHUP"] as const)("%s ends the hook, and nothing is left", async (signal) => {
    const { ask, seen, names } = open();
    const { child, ended } = ask(shell);
    await seen();
    child.kill(signal);
    expect(await ended).toEqual(silent);
    expect(names()).toEqual([]);
  });

  test("a killed hook is gone, and is swept", async () => {
    const { requests, ask, seen, names } = open();
    const { child, ended } = ask(shell);
    const request = await seen();
    child.kill("SIGKILL");
    await ended;
    expect(await requests.answer(request, "{}")).toBe(false);
    requests.release(request.name);
    expect(names()).toEqual([]);
  });

  test("a hook whose client was killed is ended by the next one, and no other hook is", async () => {
    const { requests, ask, seen, names } = open();
    const orphan = ask(shell);
    const { name } = await seen();
    const path = join(requests.folder, `${name}.json`);
    const { pid } = spawnSync("true");
    writeFileSync(path, readFileSync(path, "utf8").replace(`"pid":${process.pid}`, `"pid":${pid}`));
    const others = [ask(shell), ask(shell)];
    expect(await orphan.ended).toEqual(silent);
    await until("two requests", () => requests.read().length === 2 && names().length === 4);
    expect(others.map(({ child }) => isAlive(child))).toEqual([true, true]);
    for (const request of requests.read()) requests.release(request.name);
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual([silent, silent]);
  });

  test("a released hook ends without an answer", async () => {
    const { requests, ask, seen } = open();
    const { ended } = ask(shell);
    requests.release((await seen()).name);
    expect(await ended).toEqual(silent);
  });

  test("a request that is too long to be shown whole is left to the dialog", async () => {
    const { ask, names } = open();
    const { ended } = ask(shell, JSON.stringify({ a: "x".repeat(limits.requestBytes) }));
    expect(await ended).toEqual(silent);
    expect(names()).toEqual([]);
  });

  test("without hivemind's folder, or with a link in its place, the dialog decides", async () => {
    const { root, folder, requests, ask } = open();
    const elsewhere = mkdtempSync(join(root, "elsewhere-"));
    rmSync(requests.folder, { recursive: true, force: true });
    symlinkSync(elsewhere, requests.folder);
    expect(await ask(shell).ended).toEqual(silent);
    expect(readdirSync(elsewhere)).toEqual([]);
    rmSync(folder, { recursive: true });
    expect(await ask(shell).ended).toEqual(silent);
  });

  const ofSubAgent = JSON.stringify({ ...bash, agent_id: "a1" });

  test("a sub-agent's hook does not wait without a worker", async () => {
    const { requests, ask, names } = open();
    expect(await ask(shell, ofSubAgent).ended).toEqual(silent);
    requests.setWorker(2 ** 22 + 1);
    expect(await ask(shell, ofSubAgent).ended).toEqual(silent);
    expect(names()).toEqual(["worker"]);
  });

  test("a sub-agent's hook waits while the worker holds it, and ends with it", async () => {
    const { requests, ask, seen } = open();
    mkdirSync(requests.folder, { mode: 0o700, recursive: true });
    requests.setWorker(process.pid);
    const held = async (request: RequestFile) =>
      (await until("its reader", () => requests.hold(request.name))).close;
    const first = ask(shell, ofSubAgent);
    const letGo = await held(await seen());
    const second = await seen();
    expect(isAlive(first.child)).toBe(true);
    expect(await requests.answer(second, "{}")).toBe(true);
    expect(await first.ended).toEqual({ code: 0, printed: "{}" });
    letGo();
    const third = ask(shell, ofSubAgent);
    (await held(await seen()))();
    expect(await third.ended).toEqual(silent);
  });

  test("a sub-agent's hook does not wait for a worker that never comes", async () => {
    const { requests, ask } = open();
    requests.setWorker(process.pid);
    expect(await ask(shell, ofSubAgent).ended).toEqual(silent);
  });
});

test("[RQ1] links and folders that others can look into are refused", async () => {
  const { root, requests, ask, seen } = open();
  ask(sh);
  const { name } = await seen();
  writeFileSync(join(root, "foreign.json"), readFileSync(join(requests.folder, `${name}.json`)));
  symlinkSync(join(root, "foreign.json"), join(requests.folder, `${"0".repeat(32)}.json`));
  expect(requests.read().map((each) => each.name)).toEqual([name]);
  chmodSync(requests.folder, 0o755);
  expect(requests.read()).toEqual([]);
});

test("[RQ3] of two who answer at once, one is told that the request is gone", async () => {
  const { requests, ask, seen } = open();
  const { ended } = ask(sh);
  const request = await seen();
  const outcomes = await Promise.all(["yes", "no"].map((text) => requests.answer(request, text)));
  const { printed } = await ended;
  expect(outcomes.toSorted()).toEqual([false, true]);
  expect(printed).toBe(outcomes[0] ? "yes" : "no");
});

test("[RQ3] an answer that a killed command left unsaid is not said by the next one", async () => {
  const { requests, ask, seen } = open();
  const { child, ended } = ask(sh);
  const request = await seen();
  writeFileSync(join(requests.folder, `${request.name}.answer`), "unsaid");
  expect(isAlive(child)).toBe(true);
  expect(await requests.answer(request, "said")).toBe(true);
  expect(await ended).toEqual({ code: 0, printed: "said" });
});
