// The probe, with small programs in the client's place.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import type { Finding } from "../../src/doctor/check.js";
import { tryClient } from "../../src/doctor/trial.js";
import { limits } from "../../src/limits.js";
import { demoAgent, hivemind, mainProgram } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";
import { demoClient, installAs, silentClient } from "./clients.js";

const probesIn = (home: TestHome) =>
  readdirSync(home.env.TMPDIR!).filter((name) => name.startsWith("hivemind-probe-"));

function probe(home: TestHome, env: Record<string, string>) {
  const { code, stdout, stderr } = hivemind(home, ["doctor", "--probe", "--json"], { env });
  const findings: Finding[] = JSON.parse(stdout).findings;
  return { code, stderr, found: findings.filter(({ check }) => check === "probe") };
}

function isGone(pid: number): boolean {
  const state = readProcStat(pid)?.state;
  return state === undefined || state === "Z";
}

test("the demo agent as client passes every point, and saw nothing of the user's", () => {
  const home = testHome();
  const seen = join(home.root, "seen.env");
  const path = installAs(home, demoClient(seen));
  const secrets = { ANTHROPIC_API_KEY: "of-the-user", CLAUDE_CODE_OAUTH_TOKEN: "of-the-user" };
  const { code, stderr, found } = probe(home, { ...path, ...secrets });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(found.map(({ level }) => level)).toEqual(Array(11).fill("ok"));

  const environment = readFileSync(seen, "utf8");
  expect(environment).not.toContain("of-the-user");
  expect(environment).toMatch(/^ANTHROPIC_BASE_URL=http:\/\/127\.0\.0\.1:\d+$/m);
  for (const name of ["HOME", "TMPDIR", "CLAUDE_CONFIG_DIR", "HIVEMIND_CONFIG_DIR", "TMUX"])
    expect(environment).toMatch(new RegExp(`^${name}=${home.env.TMPDIR}/hivemind-probe-`, "m"));
  for (const folder of [home.home, home.claude, home.env.TMPDIR!]) expect(contentsOf(folder)).toEqual({});
});

test("a client that takes no message by one of its doors is reported for that door only", async () => {
  const home = testHome();
  const client = `#!/bin/sh\nexport DEMO_SWALLOW_ENTER=999999\nexec '${process.execPath}' '${demoAgent}' "$@"\n`;
  installAs(home, client);
  const own = limits.deliverProofMs;
  Object.assign(limits, { deliverProofMs: 500 });
  onTestFinished(() => void Object.assign(limits, { deliverProofMs: own }));
  const found = await tryInSources(home, 45_000);
  expect(found.filter(({ level }) => level !== "ok")).toEqual([
    expect.objectContaining({
      level: "warning",
      message: expect.stringMatching(/did not take a message that is typed: \S/),
    }),
  ]);
  expect(found).toContainEqual(
    expect.objectContaining({
      level: "ok",
      message: expect.stringContaining("takes a message through its inbox"),
    }),
  );
});

test("a client without an inbox is not at fault", async () => {
  const home = testHome();
  installAs(home, `#!/bin/sh\nexport DEMO_NO_INBOX=1\nexec '${process.execPath}' '${demoAgent}' "$@"\n`);
  const odd = (await tryInSources(home, 15_000)).filter(({ level }) => level !== "ok");
  expect(odd).toEqual([
    expect.objectContaining({ level: "info", message: expect.stringContaining("no inbox") }),
  ]);
});

/** The installed client, from the sources. */
function tryInSources(home: TestHome, timeoutMs: number) {
  return tryClient(join(home.root, "bin", "claude"), {
    env: home.env,
    interrupted: new AbortController().signal,
    onProgress: () => {},
    timeoutMs,
    temporaryFolder: home.env.TMPDIR!,
  });
}

/** Tries a silent client for a moment, from the sources. */
async function trySilent(home: TestHome, isStubborn: boolean) {
  const [pidFile, typedFile] = [join(home.root, "pid"), join(home.root, "typed")];
  installAs(home, silentClient(pidFile, typedFile, isStubborn));
  const found = await tryInSources(home, 1_500);
  const pid = Number(readFileSync(pidFile, "utf8"));
  return { found, pid, typed: readFileSync(typedFile, "utf8") };
}

test("nothing is typed into a client that is not ready", async () => {
  const { found, typed } = await trySilent(testHome(), false);
  expect(found[0]).toMatchObject({ level: "ok", message: expect.stringContaining("claude starts") });
  expect(typed).toBe("");
});

test("a client that shows nothing is given up after the time limit, and killed if it does not end", async () => {
  const home = testHome();
  const { found, pid } = await trySilent(home, true);
  expect(found).toMatchObject([
    { level: "ok", message: expect.stringContaining("claude starts") },
    { level: "warning", message: expect.stringContaining("no live registry") },
    { level: "warning", message: expect.stringContaining('read as "none"') },
    { level: "warning", message: expect.stringContaining("hook does not fire") },
  ]);
  expect(isGone(pid)).toBe(true);
  expect(probesIn(home)).toEqual([]);
});

test("a client that ends is a problem with its last output, and leaves nothing", () => {
  const home = testHome();
  // tmux sometimes loses the output of a program that ends within milliseconds of its start.
  const { code, found } = probe(
    home,
    installAs(home, "#!/bin/sh\nsleep 0.3; echo it cannot go on; sleep 0.3; exit 3\n"),
  );
  expect(code).toBe(1);
  expect(found).toMatchObject([
    { level: "problem", message: expect.stringContaining("did not start; its last output: it cannot go on") },
  ]);
  expect(probesIn(home)).toEqual([]);
});

test("no client at all is a problem, and nothing is made", () => {
  const home = testHome();
  const { code, found } = probe(home, { PATH: "/nowhere" });
  expect(code).toBe(1);
  expect(found).toMatchObject([{ level: "problem", message: "there is no claude in PATH to try" }]);
  expect(contentsOf(home.env.TMPDIR!)).toEqual({});
});

test("Ctrl-C ends the client and removes everything (incident 17)", async () => {
  const home = testHome();
  const pid = await probeInPane(home);
  home.tmux("send-keys", "-t", "=one:0.0", "C-c");
  const screen = await until("it has ended", () => {
    const text = home.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "=one:");
    return text.includes("ended with") && text;
  });
  expect(screen).toContain("ended with 1");
  expect(screen).toContain("the probe was interrupted; it left nothing behind");
  expect(isGone(pid)).toBe(true);
  expect(probesIn(home)).toEqual([]);
});

test("what a killed probe left is reported by the next doctor, and removed by the next probe (incident 17)", async () => {
  const home = testHome();
  const pid = await probeInPane(home);
  const [left] = probesIn(home);
  const doctor = Number(readFileSync(join(home.env.TMPDIR!, left!, "owner"), "utf8").split(",")[0]);
  process.kill(doctor, "SIGKILL");
  await until("it is gone", () => isGone(doctor));
  expect(hivemind(home, ["doctor"]).stdout).toContain(`a killed probe left`);
  expect(existsSync(join(home.env.TMPDIR!, left!))).toBe(true);

  const env = installAs(home, demoClient(join(home.root, "seen.env")));
  expect(probe(home, env).code).toBe(0);
  expect(probesIn(home)).toEqual([]);
  await until("its client is gone too", () => isGone(pid));
});

/** In its own pane, with a client that never gets ready; resolves to that client's pid. */
async function probeInPane(home: TestHome): Promise<number> {
  const pidFile = join(home.root, "pid");
  const env = { ...home.env, ...installAs(home, silentClient(pidFile, join(home.root, "typed"))) };
  home.tmux(
    ...["new-session", "-d", "-x", "160", "-y", "50", "-s", "one"],
    ...paneVariables(env),
    ...["env", `PATH=${env.PATH}`, "sh", "-c"],
    `trap : INT; "${process.execPath}" "${mainProgram}" doctor --probe; echo "ended with $?"; cat`,
  );
  await until("the probe waits for its client", () =>
    home.tmux("capture-pane", "-p", "-t", "=one:").includes("waiting for its"),
  );
  return until("the client runs", () =>
    existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) || null : null,
  );
}
