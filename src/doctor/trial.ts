// Tries the client's mechanisms: runs the client once, in a temporary home.
//
// - Nothing of the user's is read or written, and nothing leaves this machine: home, config and temporary folder are
//   its own, the environment is clean, there is no token, and a stand-in on the loopback answers in place of its API.
// - A client that is ready gets one short message through each of its doors. Into any other nothing is typed.
// - However it ends, the client, its tmux server and its folder are gone afterwards.
// - It has a time limit. What was not seen by then counts as not working.

import { randomUUID } from "node:crypto";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import { handlers, launchSettings } from "../agents/claude/hooks/handler.js";
import { errorCode, HiveError } from "../base/errors.js";
import { replaceFile } from "../base/files/atomic-file.js";
import type { ProcessInfo } from "../base/system/process.js";
import * as processes from "../base/system/processes.js";
import { makeThrowAwayHome, removeLeftHomes, removeThrowAwayHome, type ThrowAwayHome } from "../demo/home.js";
import { observePanes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneId, SessionId } from "../names/gates.js";
import { storePaths } from "../stores/file/folder.js";
import { openHookReports } from "../stores/hooks/hook-reports.js";
import { capturePanes } from "../tmux/capture.js";
import { placeholder, startProgram } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { openTmux, type Tmux } from "../tmux/tmux.js";
import { type Check, type Found, problem } from "./check.js";
import { clientProgram } from "./programs.js";
import { registryFile } from "./registry.js";
import { type StandInApi, startStandInApi } from "./stand-in-api.js";
import { tryDoors } from "./trial-doors.js";
import { isEmpty, type TrialResult, type TriedDoor, trialFindings } from "./trial-verdict.js";

export function probeCheck(options: Omit<TrialOptions, "env">): Check {
  return {
    id: "probe",
    title: "the client does what hivemind expects",
    async look({ env, temporaryFolder }) {
      await removeLeftHomes("probe", temporaryFolder);
      const program = clientProgram(env);
      if (program === null) return [problem("there is no claude in PATH to try", "hivemind doctor")];
      return tryClient(program, { temporaryFolder, ...options, env });
    },
  };
}

export interface TrialOptions {
  env: NodeJS.ProcessEnv;
  interrupted: AbortSignal;
  onProgress: (line: string | null) => void;
  timeoutMs?: number;
  temporaryFolder?: string;
}

export async function tryClient(program: string, options: TrialOptions): Promise<Found[]> {
  const { env, interrupted, onProgress, timeoutMs = limits.trialMs } = options;
  const home = makeThrowAwayHome("probe", env, options.temporaryFolder);
  let api: StandInApi | null = null;
  try {
    api = await startStandInApi();
    onProgress(`starting ${program} in ${home.root}`);
    const trial = await start(home, program, api);
    const deadline = performance.now() + timeoutMs;
    let isFileRemoved = false;
    let seen: Seen;
    let doors: TriedDoor[] = [];
    try {
      seen = await watch(trial, deadline, options);
      if (isReady(seen)) doors = await tryDoors(home.env, trial.pane, deadline, options);
      onProgress("ending it");
    } finally {
      isFileRemoved = await end(trial);
    }
    interrupted.throwIfAborted();
    return trialFindings({ ...seen, doors, isFileRemoved });
  } catch (error) {
    // Ctrl-C also ends a tmux that is just being asked, so its failure says nothing.
    throw interrupted.aborted ? new HiveError("the probe was interrupted; it left nothing behind") : error;
  } finally {
    api?.close();
    await removeThrowAwayHome(home.root);
    onProgress(null);
  }
}

interface Trial {
  home: ThrowAwayHome;
  tmux: Tmux;
  pane: PaneId;
  program: string;
  uuid: SessionId;
  /** The client's process, once it was seen. */
  process: ProcessInfo | null;
}

const name = "probe";

async function start(home: ThrowAwayHome, program: string, api: StandInApi): Promise<Trial> {
  const uuid = randomUUID() as string as SessionId;
  const { hookFolder } = storePaths(home.env);
  openHookReports(hookFolder).placeHandlers(handlers);
  const settings = join(home.root, "settings.json");
  replaceFile(settings, JSON.stringify(launchSettings(hookFolder)));
  replaceFile(join(home.env.CLAUDE_CONFIG_DIR!, ".claude.json"), JSON.stringify(firstRun(home.workFolder)));

  const tmux = openTmux({ env: home.env, configFile: "/dev/null" });
  const size = { width: 120, height: 40 };
  const { pane } = await newSession(tmux, { name, cwd: home.workFolder, ...size, argv: placeholder });
  await startProgram(tmux, pane, {
    argv: [program, "--session-id", uuid, "-n", name, "--settings", settings],
    cwd: home.workFolder,
    env: { ...home.env, ...clientEnv(api) },
    remainOnExit: true,
  });
  return { home, tmux, pane, program, uuid, process: null };
}

/** The answers to the client's questions at its first start. */
function firstRun(workFolder: string) {
  const trusted = { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true };
  return {
    hasCompletedOnboarding: true,
    theme: "dark",
    projects: { [realpathSync(workFolder)]: trusted },
  };
}

function clientEnv({ url }: StandInApi): Record<string, string> {
  return {
    TERM: "tmux-256color",
    ANTHROPIC_BASE_URL: url,
    // Without any token the client would ask for a login first.
    ANTHROPIC_AUTH_TOKEN: "none",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // At its first start it would fetch a repository of plugins from the network.
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
  };
}

type Seen = Omit<TrialResult, "doors" | "isFileRemoved">;

/** Until everything expected was seen, the client has ended, or the time is up. */
async function watch(trial: Trial, deadline: number, options: TrialOptions): Promise<Seen> {
  for (;;) {
    const { seen, isDead } = await look(trial);
    const isWhole = isReady(seen) && seen.hookSession !== null;
    if (isWhole || isDead || options.interrupted.aborted || performance.now() > deadline) return seen;
    options.onProgress(waitingFor(seen, deadline));
    await delay(limits.trialPollMs, undefined, { signal: options.interrupted }).catch(() => {});
  }
}

/**
 * It waits for a first message. For a moment it uses a name of its own making. Its registry file may be written between
 * the look at the panes and the look at the file.
 */
function isReady({ registry, isBelieved, box }: Seen): boolean {
  return isBelieved && registry?.status === "idle" && registry.name === name && isEmpty(box);
}

function waitingFor(seen: Seen, deadline: number): string {
  const missing = [
    seen.registry === null ? "registry file" : "",
    isEmpty(seen.box) ? "" : "input box",
    seen.hookSession === null ? "hook" : "",
  ].filter(Boolean);
  const seconds = Math.max(0, Math.ceil((deadline - performance.now()) / 1000));
  return `waiting for its ${missing.join(", ") || "activity"} (at most ${seconds} s)`;
}

async function look(trial: Trial): Promise<{ seen: Seen; isDead: boolean }> {
  const { home, tmux, program, uuid } = trial;
  const world = { env: home.env, tmux, processes };
  const pane = (await observePanes(world)).panes.find(({ id }) => id === trial.pane);
  const isDead = pane === undefined || pane.dead;
  // tmux scrolls the last output away when it marks a pane as dead.
  const capture = isDead ? { historyLines: 20 } : { escapes: true };
  const text = (await capturePanes(tmux, [trial.pane], capture)).get(trial.pane) ?? "";
  if (pane?.process) trial.process = pane.process;
  const pid = pane?.process?.pid ?? null;
  const file = pid === null ? null : registryFile(home.env.CLAUDE_CONFIG_DIR!, pid);
  const { reports } = openHookReports(storePaths(home.env).hookFolder).read();
  const hook = reports.find(({ event }) => event === "SessionStart")?.input?.session_id;
  const seen = {
    program,
    uuid,
    name,
    paneId: trial.pane,
    pid,
    lastWords: lastWordsOf(text),
    registry: file?.fields ?? null,
    isBelieved: pane?.live != null,
    box: agentOfKind(pane?.kind ?? "shell")?.keyboard?.readBox(text.split("\n")).kind ?? "none",
    hookSession: typeof hook === "string" ? hook : null,
  };
  return { seen, isDead };
}

function lastWordsOf(screen: string): string {
  const plain = screen.replace(/\u001b\[[0-9;:]*m/g, "").split("\n");
  const lines = plain.map((line) => line.trim()).filter((line) => line !== "" && !/^Pane is dead/.test(line));
  return lines.slice(-3).join(" / ");
}

/** Sends the signal of a closing terminal. Returns whether the client removed its registry file. */
async function end({ home, process: client }: Trial): Promise<boolean> {
  if (client === null) return true;
  const isRunning = () => processes.findProcess(client.pid)?.startedAtMs === client.startedAtMs;
  const deadline = performance.now() + limits.trialEndMs;
  if (isRunning()) signal(client.pid, "SIGHUP");
  while (isRunning() && performance.now() < deadline) await delay(limits.trialPollMs);
  if (isRunning()) signal(client.pid, "SIGKILL");
  return registryFile(home.env.CLAUDE_CONFIG_DIR!, client.pid) === null;
}

/** The process may end between the look and the signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (errorCode(error) !== "ESRCH") throw error;
  }
}
