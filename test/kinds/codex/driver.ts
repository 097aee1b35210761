// One real Codex in a pane of a test's private tmux, in an environment that knows nothing of this machine.

import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import type { Wire } from "../../../src/agents/codex/app-server.js";
import { linuxProcesses } from "../../../src/base/system/linux-processes.js";
import type { ProcessInfo } from "../../../src/base/system/process.js";
import type { PaneId, SessionId } from "../../../src/names/gates.js";
import { endAll, hasEnded } from "../../client/end-all.js";
import { makeHome, removeHome, type TestHome, until } from "../../home.js";
import { installCodex } from "./install.js";
import { type StandInApi, startApi } from "./stand-in.js";

export interface CodexOptions {
  args?: readonly string[];
  cwd?: string;
  width?: number;
  height?: number;
  /** False: it asks whether to trust the folder first. */
  isTrusted?: boolean;
  /** What its screen shows when it has started, if not an idle client. */
  ready?: RegExp;
}

export interface RealCodex {
  pane: PaneId;
  /** The native program, not the script around it. */
  process: ProcessInfo;
  title(): string;
  screen(): string[];
  screenWithColours(): string[];
  /** Literal text, with no Enter behind it. */
  type(text: string): void;
  /** tmux key names: `Enter`, `Escape`, `C-u`. */
  keys(...names: string[]): void;
  /** As a terminal pastes: bracketed, newlines and all. */
  paste(text: string): void;
  /** Types the text, and enters it once the screen shows it. */
  submit(text: string): Promise<void>;
  waitForScreen(pattern: RegExp): Promise<string[]>;
  /** Ends the process at once, as a crash would. */
  crash(): Promise<void>;
}

export interface CodexWorld {
  home: TestHome;
  /** `CODEX_HOME` of everything in this world. */
  folder: string;
  api: StandInApi;
  /** The whole environment of a command, with `codex` in its PATH. */
  env: Record<string, string>;
  start(options?: CodexOptions): Promise<RealCodex>;
  /** A talk with a private app server of this folder. */
  serve<T>(talk: (wire: Wire) => Promise<T>): Promise<T>;
  /** The lines of a conversation's file; null before its first turn. */
  rollout(id: SessionId): string | null;
  end(): Promise<void>;
}

/** Made for the running test, and taken away with it. */
export async function testCodex(): Promise<CodexWorld> {
  const world = await makeCodex();
  onTestFinished(() => world.end());
  return world;
}

export async function makeCodex(): Promise<CodexWorld> {
  const home = makeHome();
  const { folder, api, program, env } = await prepareCodex(home);
  return {
    home,
    folder,
    api,
    env,
    start: (options = {}) => startCodex({ home, folder, api, program, env }, options),
    serve: (talk) => serveWith(program, env, talk),
    rollout: (id) => {
      const path = rolloutPath(folder, id);
      return path === null ? null : readFileSync(path, "utf8");
    },
    end: async () => {
      await endAll(home);
      await api.close();
      removeHome(home);
    },
  };
}

/** The program in a home, without a question, and `codex` in the PATH of the environment. */
export async function prepareCodex(home: TestHome): Promise<Setting> {
  const folder = join(home.root, "codex");
  mkdirSync(folder, { mode: 0o700 });
  const api = await startApi();
  const program = await installCodex();
  const env = codexEnv(home, folder);
  const bin = join(home.root, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(program, join(bin, "codex"));
  env.PATH = `${bin}:${env.PATH}`;
  writeConfig(folder, api, realpathSync(home.work));
  return { home, folder, api, program, env };
}

/** Nothing it asks of the outside can leave: the proxy is a closed port. */
function codexEnv(home: TestHome, folder: string): Record<string, string> {
  const closed = "http://127.0.0.1:9";
  return {
    ...home.env,
    CODEX_HOME: folder,
    TERM: "tmux-256color",
    STAND_IN_KEY: "stand-in",
    HTTP_PROXY: closed,
    HTTPS_PROXY: closed,
    ALL_PROXY: closed,
    NO_PROXY: "127.0.0.1",
  };
}

/** What it would ask a person on its first start, answered before. */
function writeConfig(folder: string, api: StandInApi, trusted: string | null): void {
  const text = `model = "gpt-5.5"
model_provider = "stand-in"
check_for_update_on_startup = false

[model_providers.stand-in]
name = "stand-in"
base_url = ${JSON.stringify(api.url)}
wire_api = "responses"
env_key = "STAND_IN_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[tui]
show_tooltips = false
screen_reader_detection_done = true

[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
${trusted === null ? "" : `\n[projects.${JSON.stringify(trusted)}]\ntrust_level = "trusted"\n`}`;
  writeFileSync(join(folder, "config.toml"), text, { mode: 0o600 });
}

interface Setting {
  home: TestHome;
  folder: string;
  api: StandInApi;
  program: string;
  env: Record<string, string>;
}

async function startCodex(setting: Setting, options: CodexOptions): Promise<RealCodex> {
  const { home, folder, api, program, env } = setting;
  const { args = ["--no-daemon"], cwd = home.work, width = 100, height = 30, isTrusted = true } = options;
  writeConfig(folder, api, isTrusted ? realpathSync(cwd) : null);
  const { tmux } = home;
  const settings = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", String(width), "-y", String(height)];
  const place = ["-c", cwd, "-P", "-F", "#{pane_id}"];
  const keep = [";", "set-option", "-g", "remain-on-exit", "on"];
  const argv = [process.execPath, program, ...args];
  const pane = tmux("new-session", "-d", ...size, ...settings, ...place, ...argv, ...keep).trim() as PaneId;

  const screen = () => lines(tmux("capture-pane", "-p", "-t", pane));
  const keys = (...names: string[]) => void tmux("send-keys", "-t", pane, ...names);
  const type = (text: string) => void tmux("send-keys", "-t", pane, "-l", "--", text);
  const look = async <T>(what: string, seen: () => T) => {
    try {
      return await until(what, seen);
    } catch {
      throw new Error(`waited in vain for ${what}; the screen was:\n${screen().join("\n")}`);
    }
  };
  const waitForScreen = (pattern: RegExp) =>
    look(`${pattern} on the screen`, () => (pattern.test(screen().join("\n")) ? screen() : null));
  await waitForScreen(options.ready ?? /^› /m);
  const native = await look("its native program", () => nativeOf(home, pane));
  return {
    pane,
    process: native,
    title: () => tmux("display-message", "-p", "-t", pane, "#{pane_title}").trim(),
    screen,
    screenWithColours: () => lines(tmux("capture-pane", "-e", "-p", "-t", pane)),
    type,
    keys,
    paste: (text) => {
      tmux("set-buffer", "-b", "typed", "--", text);
      tmux("paste-buffer", "-p", "-r", "-d", "-b", "typed", "-t", pane);
    },
    submit: async (text) => {
      type(text);
      await waitForScreen(new RegExp(`^[›!] ?${escaped(text.replace(/^!/, ""))}`, "m"));
      keys("Enter");
    },
    waitForScreen,
    crash: async () => {
      process.kill(native.pid, "SIGKILL");
      await until(`process ${native.pid} to end`, () => hasEnded(native.pid));
    },
  };
}

/** Node 20 keeps the script as the parent of the native program; newer ones become it. */
function nativeOf(home: TestHome, pane: PaneId): ProcessInfo | null {
  const [pid, tty] = home
    .tmux("display-message", "-p", "-t", pane, "#{pane_pid} #{pane_tty}")
    .trim()
    .split(" ");
  const tree = linuxProcesses()
    .readTrees([{ pid: Number(pid), tty: tty! }])
    .treeOf(Number(pid));
  return tree.find(({ command }) => command === "codex") ?? null;
}

async function serveWith<T>(
  program: string,
  env: Record<string, string>,
  talk: (wire: Wire) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [program, "app-server"], { env, stdio: ["pipe", "pipe", "ignore"] });
  const ended = new Promise((done) => child.once("close", done));
  try {
    const reader = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return await talk({
      send: (line) => void child.stdin.write(`${line}\n`),
      next: async () => {
        const { value, done } = await reader.next();
        return done ? null : value;
      },
    });
  } finally {
    child.stdin.end();
    await ended;
  }
}

function rolloutPath(folder: string, id: SessionId): string | null {
  try {
    const names = readdirSync(join(folder, "sessions"), { recursive: true, encoding: "utf8" });
    const name = names.find((each) => each.endsWith(`-${id}.jsonl`));
    return name === undefined ? null : join(folder, "sessions", name);
  } catch {
    return null;
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function lines(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}
