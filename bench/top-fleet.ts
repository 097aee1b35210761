// A fleet of demo agents in a private tmux that turn busy, idle and waiting so many times a second.

import { execFile } from "node:child_process";
import { type FSWatcher, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { makeBenchHome } from "./home.js";

const demoAgent = fileURLToPath(new URL("../dist/demo-agent.js", import.meta.url));

export interface Change {
  /** As `top` names the agent. */
  label: string;
  pane: string;
  status: string;
  atMs: number;
}

export interface DemoFleet {
  root: string;
  env: Record<string, string>;
  /** How often an agent has turned busy, idle or waiting. */
  readonly changes: number;
  onChange(listener: (change: Change) => void): void;
  /** Makes the agents work for so long; returns when all of them are idle again. */
  drive(perSecond: number, seconds: number): Promise<void>;
  end(): void;
}

interface Member {
  pane: string;
  label: string;
  status: string;
}

const perWindow = 10;

export async function startFleet(agents: number): Promise<DemoFleet> {
  const { root, env, tmux, remove } = makeBenchHome("top");
  const words = ["-u", "-S", env.HIVEMIND_TMUX_SOCKET!, "-f", "/dev/null"];
  const end = () => {
    watcher?.close();
    remove();
  };
  let watcher: FSWatcher | undefined;
  try {
    const members = await startAgents(agents, env, tmux);
    const listeners: ((change: Change) => void)[] = [];
    let changes = 0;
    const registry = join(env.CLAUDE_CONFIG_DIR!, "sessions");
    watcher = watch(registry, (_, name) => {
      const member = members.get(name ?? "");
      const seen = member === undefined ? null : readEntry(join(registry, name!));
      if (member === undefined || seen === null || seen.status === member.status) return;
      member.status = seen.status;
      changes++;
      const { label, pane } = member;
      const change = { label, pane, status: seen.status, atMs: seen.statusUpdatedAt };
      for (const listener of listeners) listener(change);
    });
    const type = (pane: string, ...keys: string[][]) =>
      execFile("tmux", [...words, ...keys.flatMap((each) => ["send-keys", "-t", pane, ...each, ";"])], {
        env,
      });
    return {
      root,
      env,
      get changes() {
        return changes;
      },
      onChange: (listener) => void listeners.push(listener),
      drive: (perSecond, seconds) => drive([...members.values()], type, perSecond, seconds),
      end,
    };
  } catch (error) {
    end();
    throw error;
  }
}

/** By the name of their registry file. A window that starts is awaited, so that no program times out. */
async function startAgents(
  agents: number,
  env: Record<string, string>,
  tmux: (...args: string[]) => string,
): Promise<Map<string, Member>> {
  const program = (at: number) => [process.execPath, demoAgent, "-n", `agent-${at}`];
  const registry = join(env.CLAUDE_CONFIG_DIR!, "sessions");
  const members = new Map<string, Member>();
  for (let made = 0; made < agents; ) {
    const team = `team${made / perWindow}`;
    const size = ["-x", "320", "-y", "200"];
    tmux("new-session", "-d", ...size, "-s", team, "-c", env.HOME!, ...program(made++));
    tmux("set-option", "-t", `${team}:`, "remain-on-exit", "on");
    for (; made < agents && made % perWindow !== 0; )
      tmux(
        "split-window",
        "-d",
        "-t",
        `${team}:`,
        "-c",
        env.HOME!,
        ...program(made++),
        ";",
        "select-layout",
        "tiled",
      );
    const listed = tmux(
      "list-panes",
      "-t",
      `${team}:`,
      "-F",
      "#{pane_pid} #{pane_id} #{session_name}:#{window_index}.#{pane_index}",
    );
    for (const line of listed.trim().split("\n")) {
      const [pid, pane, label] = line.split(" ") as [string, string, string];
      await until(`${label} is idle`, () => readEntry(join(registry, `${pid}.json`))?.status === "idle");
      members.set(`${pid}.json`, { pane, label, status: "idle" });
    }
  }
  return members;
}

/**
 * A message is two changes: busy, and idle again. One in eight makes its agent ask, and is answered a moment later: two
 * more.
 */
async function drive(
  members: readonly Member[],
  type: (pane: string, ...keys: string[][]) => void,
  perSecond: number,
  seconds: number,
): Promise<void> {
  const beganMs = performance.now();
  const asking = new Map<Member, number>();
  let expected = 0;
  let next = 0;
  for (let messages = 0; performance.now() - beganMs < seconds * 1000; await rest(50)) {
    for (const [member, sinceMs] of asking)
      if (member.status === "waiting" && performance.now() - sinceMs > 2000) {
        asking.delete(member);
        type(member.pane, ["Enter"]);
      }
    if (expected > ((performance.now() - beganMs) / 1000) * perSecond) continue;
    // A step that has no common divisor with usual sizes visits all agents, in an order without neighbours.
    next = (next + 37) % members.length;
    const member = members[next]!;
    if (member.status !== "idle" || asking.has(member)) continue;
    const asks = ++messages % 8 === 0;
    if (asks) asking.set(member, performance.now());
    expected += asks ? 4 : 2;
    type(member.pane, ["-l", asks ? "[ask] may I" : "[busy 700] hello"], ["Enter"]);
  }
  await until("all agents are idle", () => {
    for (const member of members) if (member.status === "waiting") type(member.pane, ["Enter"]);
    return members.every(({ status }) => status === "idle");
  });
}

interface Entry {
  status: string;
  statusUpdatedAt: number;
}

/** Null while it is written. */
function readEntry(path: string): Entry | null {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Entry;
  } catch {
    return null;
  }
}

export async function until(what: string, isTrue: () => boolean, timeoutMs = 60_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !isTrue(); await rest(200))
    if (Date.now() > endMs) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
}
