// Drives the built demo agent in a real tmux pane, and reads everything it leaves behind.

import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { projectSlug } from "../../src/names/slug.js";
import { paneVariables, type TestHome, until } from "../home.js";

export const program = fileURLToPath(new URL("../../dist/demo-agent.js", import.meta.url));

// biome-ignore lint/suspicious/noExplicitAny: the tests read foreign records, and a wrong access is a red test
export type Json = Record<string, any>;

export interface AgentPane {
  pane: string;
  pid: number;
  /** The visible screen; `styled` with its colours. */
  screen(): string;
  styled(): string;
  /** The screen and its scrollback; tmux itself scrolls a line when it marks a pane as dead. */
  history(): string;
  title(): string;
  registry(): Json | null;
  /** The records of a session's transcript, or null while there is none. */
  transcript(id?: string): Json[] | null;
  press(...keys: string[]): void;
  type(text: string): void;
  paste(text: string): void;
  /** Types and enters the text; resolves when the agent is idle again. */
  say(text: string): Promise<void>;
  sees(text: string | RegExp): Promise<string>;
  becomes(status: string): Promise<Json>;
  exitCode(): Promise<number>;
}

export interface StartOptions {
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
  cwd?: string;
}

let started = 0;

/** Resolves as soon as tmux has started it; wait for what the test needs. */
export function startAgent(
  home: TestHome,
  args: readonly string[] = [],
  options: StartOptions = {},
): AgentPane {
  const { env = {}, columns = 100, rows = 30, cwd = home.work } = options;
  const place = home.tmux(
    ...["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"],
    ...["new-session", "-d", "-P", "-F", "#{pane_id} #{pane_pid}", "-s", `team${++started}`],
    ...["-x", String(columns), "-y", String(rows), "-c", cwd],
    ...paneVariables(env),
    ...["env", process.execPath, program, ...args],
  );
  const [pane, pid] = place.trim().split(" ") as [string, string];
  killAfterTest(Number(pid));
  const format = (text: string) => home.tmux("display-message", "-p", "-t", pane, text).trim();
  let lastId: string | undefined;
  const registry = () => {
    const entry = readJson(join(home.claude, "sessions", `${pid}.json`));
    lastId = entry?.sessionId ?? lastId;
    return entry;
  };
  const sessionId = (): string | undefined => {
    registry();
    return lastId;
  };
  const agent: AgentPane = {
    pane,
    pid: Number(pid),
    screen: () => home.tmux("capture-pane", "-p", "-t", pane),
    styled: () => home.tmux("capture-pane", "-p", "-e", "-t", pane),
    history: () => home.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", pane),
    title: () => format("#{pane_title}"),
    registry,
    transcript: (id = sessionId()) => readTranscript(home, cwd, id),
    press: (...keys) => void home.tmux("send-keys", "-t", pane, ...keys),
    type: (text) => void home.tmux("send-keys", "-t", pane, "-l", text),
    paste(text) {
      const args = ["-S", home.socket, "load-buffer", "-b", "draft", "-"];
      execFileSync("tmux", args, { env: home.env, input: text });
      home.tmux("paste-buffer", "-p", "-r", "-d", "-b", "draft", "-t", pane);
    },
    async say(text) {
      const before = registry()?.statusUpdatedAt;
      agent.type(text);
      agent.press("Enter");
      await until(`an answer to ${text}`, () => {
        const now = registry();
        return now?.status === "idle" && now.statusUpdatedAt !== before;
      });
    },
    sees: (text) =>
      until(`${text} on the screen`, () => {
        const screen = agent.screen();
        return (typeof text === "string" ? screen.includes(text) : text.test(screen)) ? screen : null;
      }),
    becomes: (status) =>
      until(`status ${status}`, () => {
        const entry = registry();
        return entry?.status === status ? entry : null;
      }),
    exitCode: () =>
      until("its end", () => {
        const [isDead, status] = format("#{pane_dead} #{pane_dead_status}").split(" ");
        // tmux sometimes misses the end of a child until another one ends.
        if (isDead === "1" && !status) home.tmux("run-shell", "-b", "true");
        return status ? { code: Number(status) } : null;
      }).then(({ code }) => code),
  };
  return agent;
}

/** Killed before its home is removed: a normal exit would still be writing into it. */
function killAfterTest(pid: number): void {
  const born = readProcStat(pid)?.startTicks;
  onTestFinished(() => {
    const running = readProcStat(pid);
    if (running === null || running.startTicks !== born || running.state === "Z") return;
    process.kill(pid, "SIGKILL");
  });
}

/** Resolves when the process has ended, whether its parent has collected it or not. */
export function ended(pid: number): Promise<true> {
  return until(`the end of ${pid}`, () => (readProcStat(pid)?.state ?? "Z") === "Z" || null) as Promise<true>;
}

/** Runs it without a terminal, for `--print` and refusals. */
export function runAgent(home: TestHome, args: readonly string[], options: StartOptions = {}) {
  const env = { ...home.env, ...options.env };
  const cwd = options.cwd ?? home.work;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env,
    cwd,
    encoding: "utf8",
    input: "",
  });
  return { status, stdout, stderr };
}

export function transcriptPath(home: TestHome, cwd: string, id: string): string {
  return join(home.claude, "projects", projectSlug(realpathSync(cwd)), `${id}.jsonl`);
}

export function readTranscript(home: TestHome, cwd: string, id: string | undefined): Json[] | null {
  const records = id === undefined ? [] : readLines(transcriptPath(home, cwd, id));
  return records.length === 0 ? null : records;
}

/** One JSON value per line; the last line counts if it is whole. */
export function readLines(path: string): Json[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

export function sessionFiles(home: TestHome): string[] {
  const folder = join(home.claude, "sessions");
  return existsSync(folder) ? readdirSync(folder) : [];
}

/** The words of the letters from its inbox that it took, in order. */
export function letters(records: readonly Json[] | null): string[] {
  return (records ?? []).flatMap((record) => {
    const origin = record.origin ?? record.attachment?.origin;
    return origin?.kind === "peer" ? [origin.body] : [];
  });
}

export function texts(records: readonly Json[] | null, type: "user" | "assistant"): string[] {
  return (records ?? [])
    .filter((record) => record.type === type)
    .map(({ message }) => (typeof message.content === "string" ? message.content : message.content[0].text));
}

/** Null if there is no such file. The agent rewrites it in place, so a read that sees half of it is repeated. */
function readJson(path: string): Json | null {
  for (let tries = 1000; ; tries--) {
    try {
      return JSON.parse(readFileSync(path, "utf8"));
    } catch {
      if (tries === 0 || !existsSync(path)) return null;
    }
  }
}
