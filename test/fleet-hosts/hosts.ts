// Hosts of a fleet: each a home, a config folder and a tmux server of its own, with the built command.

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Ran, tmuxTeam } from "../command.js";
import { askBeside } from "../commands/client.js";
import { type TestHome, testHome, until } from "../home.js";
import { commandFor, leaseEnv } from "./leases.js";

export interface FleetHost {
  name: string;
  home: TestHome;
  /** Runs a command without blocking this process, which may be the host's network. */
  run(...args: string[]): Promise<Ran>;
  /** What a command prints with --json; it must succeed. */
  json<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** Starts the watcher, and waits until the host has its lease. */
  watch(): Promise<Watcher>;
}

export interface Watcher {
  pid: number;
  /** Everything that it printed. */
  said(): string;
  /** SIGKILL by default. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface HostOptions {
  /** More variables for all its programs. */
  env?: Record<string, string>;
  /** A tmux server with a team `web` of quiet panes; 0 for none. */
  panes?: number;
}

/** Made for the running test and removed with it. */
export function testHost(name: string, url: string, { env = {}, panes = 1 }: HostOptions = {}): FleetHost {
  const home = testHome();
  Object.assign(home.env, { HIVEMIND_FLEET: url, HIVEMIND_HOST: name, ...leaseEnv(), ...env });
  if (panes > 0) tmuxTeam(home, "web", panes);
  const run = (...args: string[]) => runCommand(home, args);
  const host: FleetHost = {
    ...{ name, home, run },
    async json<T>(...args: string[]) {
      const { code, stdout, stderr } = await run(...args, "--json");
      if (code !== 0) throw new Error(`${name}: hivemind ${args.join(" ")}: exit ${code}: ${stderr}`);
      return JSON.parse(stdout) as T;
    },
    async watch() {
      const watcher = startWatch(home);
      await until(`${name} has its lease`, () => hasLease(host));
      return watcher;
    },
  };
  return host;
}

export async function hasLease({ run }: FleetHost): Promise<boolean> {
  const { code, stdout } = await run("fleet", "status", "--json");
  return code === 0 && JSON.parse(stdout).lease.isFresh === true;
}

export function startWatch(home: TestHome): Watcher {
  const child = spawn(process.execPath, [commandFor(home.env), "watch", "--every", "1"], {
    ...{ env: home.env, cwd: home.work, stdio: ["ignore", "pipe", "pipe"] },
  });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  const end = (signal: NodeJS.Signals = "SIGKILL") => endOf(child, signal);
  onTestFinished(() => end());
  return { pid: child.pid!, said: () => said, end };
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.on("exit", resolve));
  child.kill(signal);
  await ended;
}

/** Without blocking this process. A host with options for node needs a node of its own. */
export function runCommand({ env, work }: TestHome, args: readonly string[]): Promise<Ran> {
  const program = commandFor(env);
  if (env.NODE_OPTIONS === undefined)
    return askBeside({ args, env, cwd: work, input: "", limits: {}, program }, "no terminal");
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      ...{ env, cwd: work, stdio: ["ignore", "pipe", "pipe"] },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** A program whose clock of the day is wrong by so much. Nobody can set the clock of the boot. */
export function shiftedClock({ root }: TestHome, byMs: number): Record<string, string> {
  const file = join(root, "clock.cjs");
  writeFileSync(
    file,
    `const now = Date.now; const shift = ${byMs}; Date.now = () => now() + shift;
     globalThis.Date = class extends Date { constructor(...a) { a.length === 0 ? super(now() + shift) : super(...a); }
     static now() { return now() + shift; } };`,
  );
  return { NODE_OPTIONS: `--require ${file}` };
}
