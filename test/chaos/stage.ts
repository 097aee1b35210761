// What the chaos acts on: a home with a tmux server of its own, the built command, and plain looks at both. It asks
// tmux and reads files itself: nothing here comes from the code it tests, but for the two reads named below.

import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProcStat } from "../../src/base/proc-stat.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";

export interface Seen {
  id: string;
  /** tmux's id of the tmux session: it stays when that is renamed. */
  sessionId: string;
  sessionName: string;
  windowId: string;
  address: string;
  pid: number;
  /** What it was started for still runs, whatever tmux has noticed. */
  isAlive: boolean;
  mark: string;
  /** hivemind has registered panes of this tmux session. */
  isTeam: boolean;
  /** When its tmux session began, in seconds. */
  created: number;
  title: string;
}

export interface Ran {
  args: readonly string[];
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What an agent says of itself. */
export interface OwnWord {
  sessionId: string;
  status: string;
  name?: string;
  nameSource?: string;
}

export const storeFiles = {
  S1: "hivemind.roles.env",
  S2: "hivemind.sessions.env",
  S3: "hivemind.teams.env",
  S5: "hivemind.forks.env",
  S8: "tronMonitor.env",
} as const;
export type StoreId = keyof typeof storeFiles;

const commandMs = 120_000;

export class Stage {
  readonly home: TestHome = makeHome();
  /** Process ids with the moment each was born: what is ended at the end, and nothing else. */
  private readonly born = new Map<number, string>();
  private readonly children = new Set<ChildProcess>();

  constructor(private readonly dist = fileURLToPath(new URL("../../dist", import.meta.url))) {
    mkdirSync(this.home.config, { recursive: true, mode: 0o700 });
  }

  get agentProgram(): string {
    return join(this.dist, "demo-agent.js");
  }

  tmux(...args: string[]): string {
    return this.home.tmux(...args).trimEnd();
  }

  /** False where tmux refuses: a pane too small to be split is no finding. */
  tryTmux(...args: string[]): boolean {
    try {
      this.tmux(...args);
      return true;
    } catch {
      return false;
    }
  }

  hivemind(...args: string[]): Promise<Ran> {
    return this.run(args, commandMs);
  }

  /** Killed in the middle of it, if it takes longer than that. */
  hivemindKilled(afterMs: number, ...args: string[]): Promise<Ran> {
    return this.run(args, afterMs);
  }

  private run(args: readonly string[], killAfterMs: number): Promise<Ran> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [join(this.dist, "main.cjs"), ...args], {
        env: this.home.env,
        cwd: this.home.work,
        stdio: ["ignore", "pipe", "pipe"],
        timeout: killAfterMs,
        killSignal: "SIGKILL",
      });
      this.children.add(child);
      let [stdout, stderr] = ["", ""];
      child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
      child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
      child.once("close", (code) => {
        this.children.delete(child);
        resolve({ args, code, stdout, stderr });
      });
    });
  }

  /** Every pane there is; none when there is no server. */
  panes(): Seen[] {
    const fields = ["pane_id", "session_id", "session_name", "window_id", "window_index", "pane_index"];
    const format = [
      ...fields,
      "pane_pid",
      "pane_dead",
      "@hivemind",
      "@hivemind_team",
      "session_created",
      "pane_title",
    ].map((each) => `#{${each}}`);
    let rows: string[];
    try {
      rows = this.tmux("list-panes", "-a", "-F", format.join("\t")).split("\n");
    } catch {
      return [];
    }
    return rows.map((row) => {
      const [id, sessionId, sessionName, windowId, window, pane, pid, dead, mark, team, created, title] =
        row.split("\t");
      return {
        id: id!,
        sessionId: sessionId!,
        sessionName: sessionName!,
        windowId: windowId!,
        address: `${sessionName}:${window}.${pane}`,
        pid: Number(pid),
        isAlive: dead === "0" && this.isAlive(Number(pid)),
        mark: mark!,
        isTeam: team?.split("|")[0] === sessionId,
        created: Number(created),
        title: title!,
      };
    });
  }

  /** What the agent of this process keeps in the client's registry; null for what is no agent, or ended. */
  ownWord(pid: number): OwnWord | null {
    try {
      const entry = JSON.parse(readFileSync(join(this.home.claude, "sessions", `${pid}.json`), "utf8"));
      return this.isAlive(pid) && readProcStat(pid)?.startTicks === entry.procStart ? entry : null;
    } catch {
      return null;
    }
  }

  transcriptsOf(uuid: string): string[] {
    const projects = join(this.home.claude, "projects");
    const folders = existsSync(projects) ? readdirSync(projects) : [];
    return folders.map((slug) => join(projects, slug, `${uuid}.jsonl`)).filter((path) => existsSync(path));
  }

  /** Whose transcripts have this as words of a user. */
  sessionsThatHeard(text: string): string[] {
    const projects = join(this.home.claude, "projects");
    const files = existsSync(projects) ? readdirSync(projects, { recursive: true, encoding: "utf8" }) : [];
    return files
      .filter((name) => name.endsWith(".jsonl") && holds(join(projects, name), JSON.stringify(text)))
      .map((name) => basename(name, ".jsonl"));
  }

  /** Typed and entered; resolves when the agent has dealt with it. */
  async say(pid: number, pane: string, text: string): Promise<void> {
    const before = this.ownWord(pid);
    this.tmux("send-keys", "-t", pane, "-l", text);
    this.tmux("send-keys", "-t", pane, "Enter");
    await until(`${pane} has taken ${text}`, () => {
      const now = this.ownWord(pid);
      if (now === null) return !this.isAlive(pid);
      if (text === "/clear") return now.sessionId !== before?.sessionId;
      return now.status === "idle" && this.transcriptsOf(now.sessionId).some((file) => holds(file, text));
    });
    await until(`${pane} is idle`, () => (this.ownWord(pid)?.status ?? "idle") === "idle");
  }

  path(store: StoreId): string {
    return join(this.home.config, storeFiles[store]);
  }

  read(store: StoreId): string {
    return readText(this.path(store));
  }

  /** As a person's editor does. */
  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }

  remove(path: string): void {
    rmSync(path, { force: true });
  }

  /** Killed as a power cut would: nothing is told. Resolves when nothing of it runs. */
  async kill(pids: readonly number[]): Promise<void> {
    for (const pid of pids) if (this.isAlive(pid)) process.kill(pid, "SIGKILL");
    await until(`the end of ${pids.join(", ")}`, () => !pids.some((pid) => this.isAlive(pid)));
  }

  /** Its pid and start, as receipts name it. */
  serverKey(): string {
    return this.tmux("display-message", "-p", "#{pid}@#{start_time}").trim();
  }

  serverPid(): number {
    return Number(this.tmux("display-message", "-p", "#{pid}"));
  }

  async killServer(): Promise<void> {
    const panes = this.panes();
    if (panes.length === 0) return;
    const server = this.serverPid();
    this.isAlive(server);
    await this.kill([server]);
    await until("the end of all panes", () => !panes.some(({ pid }) => this.isAlive(pid)));
  }

  /** Ends what it started, and takes the home away. */
  async close(): Promise<void> {
    for (const child of this.children) child.kill("SIGKILL");
    try {
      this.panes();
      this.isAlive(this.serverPid());
    } catch {
      // No server is left.
    }
    await this.kill([...this.born.keys()]);
    removeHome(this.home);
  }

  /** Whether the process that had this number when it was first seen still runs. */
  isAlive(pid: number): boolean {
    const now = readProcStat(pid);
    if (now === null || now.state === "Z" || now.state === "X") return false;
    if (!this.born.has(pid)) this.born.set(pid, now.startTicks);
    return this.born.get(pid) === now.startTicks;
  }
}

export function readText(path: string): string {
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function holds(path: string, text: string): boolean {
  return readText(path).includes(text);
}
