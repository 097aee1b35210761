// One real client in a pane of a test's private tmux, in an environment that knows nothing of this machine.

import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PaneId, SessionId } from "../../src/names/gates.js";
import { type TestHome, until } from "../home.js";
import type { StandInApi } from "./api.js";
import { hasEnded } from "./end-all.js";
import { type ClientVersion, installClient } from "./install.js";

export interface ClientOptions {
  args?: string[];
  cwd?: string;
  /** The tmux session it runs in; a second client of the same team gets a pane beside the first. */
  team?: string;
  width?: number;
  height?: number;
  /** Added to the clean environment. */
  env?: Record<string, string>;
  /** Into `settings.json` of its config folder. */
  settings?: Record<string, unknown>;
  /** False: it asks whether to trust the folder first. */
  isTrusted?: boolean;
  /** What its screen shows when it has started, if not an idle client. */
  ready?: RegExp;
}

/** The fields of `sessions/<pid>.json` that tests look at; every one may be missing. */
export interface RegistryFile {
  pid?: number;
  sessionId?: SessionId;
  cwd?: string;
  status?: "idle" | "busy" | "waiting";
  waitingFor?: string;
  name?: string;
  procStart?: string;
}

export interface RealClient {
  paneId: PaneId;
  pid: number;
  /** The words that start it, environment first, without the arguments of this one. */
  command: readonly string[];
  registryFile(): RegistryFile | null;
  /** The records of a conversation, in order; none before its first message. */
  transcript(id: SessionId): Record<string, unknown>[];
  screen(): string[];
  screenWithColours(): string[];
  /** Literal text, with no Enter behind it. */
  type(text: string): void;
  /** tmux key names: `Enter`, `Escape`, `C-u`. */
  keys(...names: string[]): void;
  /** Types the text into its box, and enters it once the box shows it; returns when the box has given it away. */
  submit(text: string): Promise<void>;
  /** As a terminal pastes: bracketed, newlines and all. */
  paste(text: string): void;
  /** The screen with its colours, once its bottom has stopped changing: a spinner above the box may go on. */
  settled(): Promise<string[]>;
  waitForStatus(status: RegistryFile["status"]): Promise<RegistryFile>;
  waitForScreen(pattern: RegExp): Promise<string[]>;
  /** Asks the process to end, and returns when it is gone. */
  end(): Promise<void>;
}

export async function startClient(
  home: TestHome,
  api: StandInApi,
  version: ClientVersion,
  options: ClientOptions = {},
): Promise<RealClient> {
  const { args = [], cwd = home.work, team = "team", width = 200, height = 50, env = {}, settings } = options;
  const program = await installClient(version);
  skipFirstRun(home.claude, cwd, options.isTrusted ?? true);
  if (settings !== undefined) writeFileSync(join(home.claude, "settings.json"), JSON.stringify(settings));
  const paneId = openPane(
    home,
    [program, ...args],
    { ...clientEnv(home, api), ...env },
    { team, cwd, width, height },
  );
  const { tmux } = home;
  const pid = Number(tmux("display-message", "-p", "-t", paneId, "#{pane_pid}"));

  const screen = () => lines(tmux("capture-pane", "-p", "-t", paneId));
  const screenWithColours = () => lines(tmux("capture-pane", "-e", "-p", "-t", paneId));
  const registryFile = () => readJson<RegistryFile>(join(home.claude, "sessions", `${pid}.json`));
  /** The bottom of its screen when it had settled; null once something was typed since. */
  let quiet: string | null = null;
  const typed = (...args: string[]) => {
    quiet = null;
    tmux(...args);
  };
  const type = (text: string) => typed("send-keys", "-t", paneId, "-l", "--", text);
  const keys = (...names: string[]) => typed("send-keys", "-t", paneId, ...names);
  const told = (what: string) => `${what}; the screen was:\n${screen().join("\n")}`;
  const look = async <T>(what: string, seen: () => T | Promise<T>, restMs: number | null = null) => {
    try {
      return await until(what, seen, 30_000, restMs);
    } catch {
      throw new Error(told(`waited in vain for ${what}`));
    }
  };

  const client: RealClient = {
    paneId,
    pid,
    command: [...Object.entries({ ...clientEnv(home, api), ...env }).map((each) => each.join("=")), program],
    registryFile,
    screen,
    type,
    keys,
    paste: (text) => {
      tmux("set-buffer", "-b", "typed", "--", text);
      typed("paste-buffer", "-p", "-r", "-d", "-b", "typed", "-t", paneId);
    },
    settled: async () => {
      const restMs = 400;
      await new Promise((rest) => setTimeout(rest, restMs));
      const isQuiet = () => {
        const before = quiet;
        quiet = screen().filter(hasText).slice(-4).join("\n");
        return quiet === before ? screenWithColours() : null;
      };
      return await look("a quiet screen", isQuiet, restMs);
    },
    transcript: (id) => readTranscript(home.claude, id),
    screenWithColours,
    submit: async (text) => {
      // From its beginning on: the words that an empty box suggests may hold the same ones.
      const holdsIt = () => dense(boxRows(screen()).join("").slice(1)).startsWith(dense(text));
      await look("its box", () => boxRows(screen()).length > 0);
      type(text);
      await look(`"${text}" in the box`, holdsIt);
      keys("Enter");
      await look(`"${text}" taken from the box`, () => hasEnded(pid) || !holdsIt());
    },
    waitForStatus: (status) =>
      look(`status ${status}`, () => {
        const file = registryFile();
        return file?.status === status ? file : null;
      }),
    waitForScreen: (pattern) =>
      look(`${pattern} on the screen`, () => {
        const seen = screen();
        return pattern.test(seen.join("\n")) ? seen : null;
      }),
    end: async () => {
      if (!hasEnded(pid)) process.kill(pid, "SIGTERM");
      await until(`process ${pid} to end`, () => hasEnded(pid), 30_000);
    },
  };
  try {
    if (options.ready === undefined) await client.waitForStatus("idle");
    await client.waitForScreen(options.ready ?? /❯/);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

/** What the client would ask a person on its first start, answered before. */
export function skipFirstRun(claude: string, cwd: string, isTrusted: boolean): void {
  const project = { hasTrustDialogAccepted: isTrusted, hasCompletedProjectOnboarding: isTrusted };
  const path = join(claude, ".claude.json");
  const known = readJson<FirstRun>(path) ?? { hasCompletedOnboarding: true, theme: "dark" };
  const projects = { ...known.projects, [realpathSync(cwd)]: project };
  writeFileSync(path, JSON.stringify({ ...known, projects }), { mode: 0o600 });
}

interface FirstRun {
  hasCompletedOnboarding: boolean;
  theme: string;
  projects?: object;
}

export function clientEnv(home: TestHome, api: StandInApi): Record<string, string> {
  return {
    ...home.env,
    TERM: "tmux-256color",
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_AUTH_TOKEN: "stand-in",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    // At its first start it would fetch a repository of plugins from the network.
    CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL: "1",
    // It would retry a failed request for minutes, and take the next scripted reply for it.
    CLAUDE_CODE_MAX_RETRIES: "0",
    // Its runtime would spend a tenth of a short life on compiling what it runs once.
    BUN_JSC_useDFGJIT: "0",
    // Other threads for its garbage cost more than they save on two busy cores.
    BUN_JSC_useConcurrentGC: "0",
    BUN_JSC_numberOfGCMarkers: "1",
  };
}

interface Place {
  team: string;
  cwd: string;
  width: number;
  height: number;
}

/** Directly in the pane, with no shell around it. The server's own environment is the clean one of the home. */
function openPane(home: TestHome, argv: string[], env: Record<string, string>, place: Place): PaneId {
  const { team, cwd, width, height } = place;
  const start = hasTeam(home, team)
    ? ["split-window", "-d", "-t", `=${team}:`]
    : ["new-session", "-d", "-s", team, "-x", String(width), "-y", String(height)];
  const settings = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const options = [...settings, "-c", cwd, "-P", "-F", "#{pane_id}"];
  // A client that ends at once leaves its last words: the option is set before tmux sees the end of the process.
  const keep = [";", "set-option", "-g", "remain-on-exit", "on"];
  return home.tmux(...start, ...options, "env", ...argv, ...keep).trim() as PaneId;
}

function hasTeam(home: TestHome, team: string): boolean {
  try {
    home.tmux("has-session", "-t", `=${team}`);
    return true;
  } catch {
    return false;
  }
}

function readTranscript(claude: string, id: SessionId): Record<string, unknown>[] {
  const projects = join(claude, "projects");
  if (!existsSync(projects)) return [];
  const file = readdirSync(projects)
    .map((slug) => join(projects, slug, `${id}.jsonl`))
    .find((path) => existsSync(path));
  if (file === undefined) return [];
  // The last line may still be in the writing: only whole lines count.
  const whole = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return whole.map((line) => JSON.parse(line));
}

/** Null also for a file that is being rewritten at this moment. */
function readJson<T>(path: string): T | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Between two rules, of which the upper one may hold a title: a message that was entered has a prompt, too. */
function boxRows(rows: string[]): string[] {
  const isRule = (row: string | undefined) => /─\s*$/.test(row ?? "");
  const prompt = rows.findLastIndex((row, at) => /^\S\u00a0/.test(row) && isRule(rows[at - 1]));
  if (prompt < 0) return [];
  const rule = rows.findIndex((row, at) => at > prompt && isRule(row));
  return rows.slice(prompt, rule < 0 ? undefined : rule);
}

function dense(text: string): string {
  return text.replace(/\s/g, "");
}

function hasText(row: string): boolean {
  return row.trim() !== "";
}

function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
