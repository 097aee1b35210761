// The real Gemini CLI in a pane of a test's private tmux, in an environment that knows nothing of this machine.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readBox } from "../../../src/agents/gemini/screen/input-box.js";
import { readProcStat } from "../../../src/base/system/proc-stat.js";
import { limits } from "../../../src/limits.js";
import type { PaneId } from "../../../src/names/gates.js";
import { hasEnded } from "../../client/end-all.js";
import { makeHome, removeHome, type TestHome, until } from "../../home.js";
import { installGemini } from "./install.js";
import { type StandInApi, startApi } from "./stand-in.js";

export interface GeminiOptions {
  args?: string[];
  cwd?: string;
  width?: number;
  height?: number;
  env?: Record<string, string>;
  /** Into `settings.json`, beside what keeps the client quiet. */
  settings?: Record<string, unknown>;
  /** False: it asks whether to trust the folder first. */
  isTrusted?: boolean;
  /** What its screen shows when it has started, if not an open box. */
  ready?: RegExp;
}

export interface RealGemini {
  paneId: PaneId;
  /** The process of the pane, which only waits for the second one. */
  pid: number;
  /** The second process, which holds the conversation; null if the client ended at its start. */
  holder: number | null;
  screen(): string[];
  screenWithColours(): string[];
  title(): string;
  /** Literal text, with no Enter behind it. */
  type(text: string): void;
  /** As a terminal pastes: bracketed, newlines and all. */
  paste(text: string): void;
  keys(...names: string[]): void;
  /** Types the text, enters it once the box shows it, and returns when the box has given it away. */
  submit(text: string): Promise<void>;
  /** Enter, later than 40 ms after a paste: the client would take it for a line break, and no screen shows the end. */
  enterPasted(): Promise<void>;
  waitForScreen(pattern: RegExp): Promise<string[]>;
  /** Ends both processes by their pids, also after their pane has gone. */
  end(): Promise<void>;
}

export interface GeminiWorld {
  home: TestHome;
  api: StandInApi;
  start(options?: GeminiOptions): Promise<RealGemini>;
  /** The session files of all folders, by name. */
  sessions(): Map<string, Record<string, unknown>[]>;
}

/** Made for the running test, and taken away with it. */
export async function geminiWorld(): Promise<GeminiWorld> {
  const home = makeHome();
  const api = await startApi();
  const clients: RealGemini[] = [];
  onTestFinished(async () => {
    for (const client of clients) await client.end();
    await api.close();
    removeHome(home);
  });
  const start = async (options: GeminiOptions = {}) => {
    const sinceMs = Date.now();
    const client = await startGemini(home, api, options);
    clients.push(client);
    await client.waitForScreen(options.ready ?? /Type your message or @path/);
    // It shows its box before it is ready, and would queue a message without a word on its screen.
    if (options.ready === undefined)
      await until("its session file", () => headTimes(home).some((atMs) => atMs >= sinceMs));
    return client;
  };
  return { home, api, start, sessions: () => readSessions(home) };
}

async function startGemini(home: TestHome, api: StandInApi, options: GeminiOptions): Promise<RealGemini> {
  const { args = [], cwd = home.work, width = 120, height = 40, env = {}, isTrusted = true } = options;
  const script = await installGemini();
  writeSettings(home, options.settings ?? {});
  const variables = { ...geminiEnv(home, api), ...env };
  const settings = Object.entries(variables).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const words = [process.execPath, script, ...(isTrusted ? ["--skip-trust"] : []), ...args];
  const place = ["-x", String(width), "-y", String(height), "-c", cwd, "-P", "-F", "#{pane_id}"];
  // A client that ends at once leaves its last words: the option is set before tmux sees the end of the process.
  const keep = [";", "set-option", "-g", "remain-on-exit", "on"];
  const { tmux } = home;
  const paneId = tmux("new-session", "-d", ...settings, ...place, "env", ...words, ...keep).trim() as PaneId;
  const shown = (format: string) => tmux("display-message", "-p", "-t", paneId, format).trimEnd();
  const pid = Number(shown("#{pane_pid}"));
  const holder = await until("its second process, or its end", () =>
    hasEnded(pid) ? { pid: null } : (childrenOf(pid).map((each) => ({ pid: each }))[0] ?? null),
  );
  const lived = [pid, ...(holder.pid === null ? [] : [holder.pid])].map((each) => ({
    pid: each,
    ticks: ticksOf(each),
  }));

  const capture = (...flags: string[]) =>
    tmux("capture-pane", ...flags, "-p", "-t", paneId)
      .replace(/\n$/, "")
      .split("\n");
  const keys = (...names: string[]) => void tmux("send-keys", "-t", paneId, ...names);
  const look = async <T>(what: string, seen: () => T) => {
    try {
      return await until(what, seen);
    } catch {
      throw new Error(`waited in vain for ${what}; the screen was:\n${capture().join("\n")}`);
    }
  };
  const draft = () => {
    const box = readBox(capture("-e"));
    return box.kind === "draft" ? box.text.replace(/\s/g, "") : null;
  };
  return {
    paneId,
    pid,
    holder: holder.pid,
    screen: () => capture(),
    screenWithColours: () => capture("-e"),
    title: () => shown("#{pane_title}"),
    type: (text) => void tmux("send-keys", "-t", paneId, "-l", "--", text),
    paste: (text) => {
      tmux("set-buffer", "-b", "typed", "--", text);
      tmux("paste-buffer", "-p", "-r", "-d", "-b", "typed", "-t", paneId);
    },
    keys,
    submit: async (text) => {
      tmux("send-keys", "-t", paneId, "-l", "--", text);
      await look(`"${text}" in the box`, () => draft() === text.replace(/\s/g, ""));
      // Typed by a program it looks like a paste.
      await new Promise((rest) => setTimeout(rest, limits.geminiPasteRestMs));
      keys("Enter");
      await look(`"${text}" taken from the box`, () => draft() !== text.replace(/\s/g, ""));
    },
    enterPasted: async () => {
      await new Promise((rest) => setTimeout(rest, limits.geminiPasteRestMs));
      keys("Enter");
    },
    waitForScreen: (pattern) =>
      look(`${pattern} on the screen`, () => {
        // tmux 3.3a may miss the end of a program until another of its children ends.
        if (hasEnded(pid)) tmux("run-shell", "-b", "true");
        const seen = capture();
        return pattern.test(seen.join("\n")) ? seen : null;
      }),
    end: async () => {
      for (const { pid: each, ticks } of lived.toReversed()) if (ticksOf(each) === ticks) kill(each);
      await until("the end of both processes", () => lived.every(({ pid: each }) => hasEnded(each)));
    },
  };
}

/** What keeps the client on this machine and quiet: no sign-in, no update, no telemetry, no statistics. */
export function writeSettings(home: TestHome, extra: Record<string, unknown>): void {
  const folder = join(home.home, ".gemini");
  mkdirSync(folder, { recursive: true });
  const settings = {
    security: { auth: { selectedType: "gemini-api-key" } },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    ...extra,
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, ...(extra.general as object) },
  };
  writeFileSync(join(folder, "settings.json"), JSON.stringify(settings));
}

function geminiEnv(home: TestHome, api: StandInApi): Record<string, string> {
  return {
    ...home.env,
    TERM: "tmux-256color",
    GEMINI_API_KEY: "stand-in",
    GOOGLE_GEMINI_BASE_URL: api.url,
  };
}

function readSessions({ home }: TestHome): Map<string, Record<string, unknown>[]> {
  const tmp = join(home, ".gemini", "tmp");
  const names = existsSync(tmp) ? readdirSync(tmp, { recursive: true, encoding: "utf8" }) : [];
  const files = names.filter((name) => /\/chats\/session-[^/]*\.jsonl$/.test(name));
  // The last line may still be in the writing: only whole lines count.
  const linesOf = (name: string) => readFileSync(join(tmp, name), "utf8").split("\n").slice(0, -1);
  return new Map(files.map((name) => [name, linesOf(name).map((line) => JSON.parse(line))]));
}

function headTimes(home: TestHome): number[] {
  return [...readSessions(home).values()].map(([head]) => Date.parse(String(head?.startTime)));
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

function ticksOf(pid: number): string | null {
  return readProcStat(pid)?.startTicks ?? null;
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended meanwhile.
  }
}
