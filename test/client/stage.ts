// One way to drive the demo agent and the real client alike, for what is asked of both.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PaneId, SessionId } from "../../src/names/gates.js";
import { ended, startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import type { ClientVersion } from "./install.js";
import { limitHeaders, subscriber } from "./plays.js";
import { testWorld } from "./world.js";

export interface Actor {
  pane: PaneId;
  pid: number;
  /** Literal text, with no Enter behind it. */
  type(text: string): void;
  /** tmux key names. */
  keys(...names: string[]): void;
  /** Typed, seen in the box, and entered. */
  submit(text: string): Promise<void>;
}

/**
 * Messages steer both: `[ask]` wants to run a tool first, the answer to `[hold]` waits for `release`, `[error]` fails, and
 * `[limit]` hits a limit, which only who has a plan has.
 */
export interface Stage {
  home: TestHome;
  start(args: readonly string[], options?: { suggests?: boolean; hasPlan?: boolean }): Promise<Actor>;
  /** Not waited for: it may end at once. */
  open(args: readonly string[]): Promise<Pick<Actor, "pane" | "pid">>;
  /** Once the held message is on disk: an answer may else be written before its question. */
  release(actor: Pick<Actor, "pid">): Promise<void>;
  /** The same for a failure. The demo agent writes in order and holds none. */
  letFail(): Promise<void>;
}

export async function realStage(version: ClientVersion): Promise<Stage> {
  const { home, api, start } = await testWorld();
  api.when(/\[hold\][^\n]*$/, { text: "held no longer", held: true });
  // What other programs post is followed by a warning of the client.
  api.when(/\[hold\][^\n]*\n<\/cross-session-message>\n\nThis came/, { text: "held no longer", held: true });
  api.when(/\[ask\][^\n]*$/, { tool: "Bash", input: { command: "touch demo", description: "Make it" } });
  api.when(/\[error\][^\n]*$/, { error: 500, held: true });
  api.when(/\[limit\][^\n]*$/, { error: 429, headers: limitHeaders("rejected", "five_hour"), held: true });
  api.suggest(suggestion);
  let stages = 0;
  return {
    home,
    start: async (args, { suggests = false, hasPlan = false } = {}) => {
      const suggesting = { CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION: suggests ? "1" : "0" };
      const env = { ...suggesting, ...(hasPlan ? subscriber : {}) };
      const client = await start(version, { args: [...args], team: `stage${++stages}`, env });
      await client.settled();
      return { ...client, pane: client.paneId };
    },
    open: async (args) => {
      const { paneId: pane, pid } = await start(version, {
        args: [...args],
        team: `stage${++stages}`,
        ready: /^/,
      });
      return { pane, pid };
    },
    release: () => api.release(),
    letFail: () => api.release(),
  };
}

/** The demo agent, behaving like a version of the client. */
export async function demoStage(version: ClientVersion): Promise<Stage> {
  const home = testHome();
  return {
    home,
    start: async (args, { suggests = false } = {}) => {
      const env = { DEMO_VERSION: version, ...(suggests ? { DEMO_SUGGESTION: suggestion } : {}) };
      const agent = startAgent(home, args, { env, columns: 200, rows: 50 });
      await agent.becomes("idle");
      const submit = async (text: string) => {
        agent.type(text);
        await agent.sees(text);
        agent.press("Enter");
      };
      const { pid, type, press: keys } = agent;
      return { pane: agent.pane as PaneId, pid, type, keys, submit };
    },
    open: async (args) => {
      const { pane, pid } = startAgent(home, args, {
        env: { DEMO_VERSION: version },
        columns: 200,
        rows: 50,
      });
      return { pane: pane as PaneId, pid };
    },
    release: async ({ pid }) => void process.kill(pid, "SIGUSR2"),
    letFail: async () => {},
  };
}

export const suggestion = "run the tests";

/** The exit code and the words of one that ended by itself. */
export async function lastWords(
  { home }: Stage,
  { pane }: Pick<Actor, "pane">,
): Promise<{ code: number; words: string }> {
  const code = await until("its end", () => {
    const status = home.tmux("display-message", "-p", "-t", pane, "#{pane_dead_status}").trim();
    // tmux now and then misses the end of a child until another one ends.
    if (status === "") home.tmux("run-shell", "-b", "true");
    return status === "" ? null : { is: Number(status) };
  });
  const screen = home.tmux("capture-pane", "-p", "-J", "-S", "-", "-t", pane);
  const words = screen.split("\n").filter((line) => line !== "" && !line.startsWith("Pane is dead"));
  return { code: code.is, words: words.join("\n") };
}

export async function killed({ pid }: Actor): Promise<void> {
  process.kill(pid, "SIGKILL");
  await ended(pid);
}

export type Json = Record<string, unknown>;

/** Null also while it is being rewritten. */
export function registryOf({ home }: Stage, { pid }: Pick<Actor, "pid">): Json | null {
  try {
    return JSON.parse(readFileSync(join(home.claude, "sessions", `${pid}.json`), "utf8"));
  } catch {
    return null;
  }
}

/** The records of every transcript of a home, the oldest file first as far as their names tell. */
export function transcriptsOf({ home }: Stage): Map<SessionId, Json[]> {
  const projects = join(home.claude, "projects");
  const found = new Map<SessionId, Json[]>();
  for (const name of listed(projects).flatMap((slug) => listed(join(projects, slug), slug))) {
    if (!name.endsWith(".jsonl")) continue;
    const lines = readFileSync(join(projects, name), "utf8").split("\n").slice(0, -1);
    const id = name.slice(name.indexOf("/") + 1, -".jsonl".length) as SessionId;
    found.set(
      id,
      lines.map((line) => JSON.parse(line)),
    );
  }
  return found;
}

function listed(folder: string, under?: string): string[] {
  try {
    const names = readdirSync(folder);
    return under === undefined ? names : names.map((name) => `${under}/${name}`);
  } catch {
    return [];
  }
}
