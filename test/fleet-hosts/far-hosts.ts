// Hosts of a fleet: each a home with its own tmux server and stores, and a worker that takes its mail.

import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import type { Allowance } from "../../src/link/join.js";
import { hostName } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { type AgentPane, startAgent } from "../demo-agent/driver.js";
import { fixtureProgram } from "../fixture-programs.js";
import { type TestHome, testHome, until } from "../home.js";
import { commandFor, leaseEnv } from "./leases.js";
import type { NatsServers } from "./servers.js";

export interface FarHost extends TestHome {
  name: string;
}

export interface FarWorker {
  /** SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  ended: Promise<NodeJS.Signals | null>;
  /** Its lines so far. */
  said(): string;
}

export function farHost(servers: Pick<NatsServers, "url">, name: string): FarHost {
  const home = testHome();
  const env = { HIVEMIND_FLEET: servers.url, HIVEMIND_HOST: name, USER: "ann" };
  Object.assign(home.env, env, leaseEnv());
  return { ...home, name };
}

/** Takes mail; resolves when it does, or when it has killed itself at this moment. */
export async function farWorker(host: FarHost, moment = -1): Promise<FarWorker> {
  const program = await fixtureProgram("fleet/far-worker");
  const { child, worker } = startFar(host, [program, String(moment)]);
  await until(`the worker of ${host.name} takes mail`, () => {
    if (isEnded(child) && child.signalCode === null)
      throw new Error(`the worker of ${host.name}: ${worker.said()}`);
    return isEnded(child) || worker.said().includes("takes mail");
  });
  return worker;
}

/** The watcher as a person starts it; resolves when it is in the fleet and answers. */
export async function farWatch(host: FarHost, ...options: string[]): Promise<FarWorker> {
  const { child, worker } = startFar(host, [commandFor(host.env), "watch", ...options], host.work);
  await until(`the watcher of ${host.name} is in the fleet`, () => {
    if (isEnded(child)) throw new Error(`the watcher of ${host.name}: ${worker.said()}`);
    return worker.said().includes("in the fleet as");
  });
  return worker;
}

/** Ends with the running test. */
function startFar({ env }: FarHost, args: readonly string[], cwd?: string) {
  const child = spawn(process.execPath, args, { env, cwd, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on("exit", (_, signal) => resolve(signal)),
  );
  const kill = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  onTestFinished(kill);
  return { child, worker: { kill, ended, said: () => said } };
}

/** As `hivemind fleet allow` writes it. */
export async function allows(host: FarHost, value: Allowance, from: string): Promise<void> {
  const { fleetJoin } = openHive({ env: host.env }).stores;
  await fleetJoin.update((rows) => [...rows, { what: "allow", value, from: hostName(from) }]);
}

function isEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** An idle demo agent. Its role is its name. */
export async function farAgent(
  host: FarHost,
  role: string,
  env: Record<string, string> = {},
): Promise<AgentPane> {
  const agent = startAgent(host, ["-n", role], { env });
  await agent.becomes("idle");
  await agent.sees("❯\u00a0");
  const given = hivemind(host, ["registry", "set", agent.pane, role]);
  if (given.code !== 0) throw new Error(given.stderr);
  const hive = openHive({ env: host.env });
  await until(`the agent ${role}`, async () => {
    const { panes } = await hive.panes();
    return panes.some((pane) => pane.id === agent.pane && pane.live !== null);
  });
  return agent;
}

/** An agent with hooks on this host that asks for a command. */
export async function asking(host: FarHost) {
  hivemind(host, ["hooks", "install"]);
  const agent = await farAgent(host, "lead");
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  const request = await until("its request", () => {
    const { stdout } = hivemind(host, ["inbox", "--json"]);
    return JSON.parse(stdout).items.find((item: { kind: string }) => item.kind === "request")?.request;
  });
  return { agent, id: request.id as string };
}

/** What is known on this host of mail that it sent: the steps, oldest first. */
export function mailSteps(host: FarHost): string[] {
  return openHive({ env: host.env })
    .stores.mail.read()
    .rows.filter(({ id }) => id.startsWith(`${host.name}-`))
    .map(({ step }) => step);
}
