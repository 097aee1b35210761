// The stage of the chaos test: a home with its own tmux server, the built command, and plain reads of both. It asks
// tmux and reads files itself: nothing here comes from the tested code, except the two reads named below.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";

export interface Seen {
  id: string;
  /** tmux's id of the tmux session, which stays the same after a rename. */
  sessionId: string;
  sessionName: string;
  windowId: string;
  address: string;
  pid: number;
  /** Whether its program still runs, whatever tmux has noticed. */
  isAlive: boolean;
  /** The tmux option that hivemind sets on it, for people. */
  mark: string;
  title: string;
}

/** A row of the roster. */
export interface Listed {
  id: string;
  team: string;
  role: string | null;
  session: string | null;
  /** The pid of the tmux server, and the pane; null if it has no pane. */
  seat: { server: number; pane: string } | null;
  address: string;
}

export interface Ran {
  args: readonly string[];
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What an agent reports about itself. */
export interface OwnWord {
  sessionId: string;
  status: string;
  name?: string;
  nameSource?: string;
}

export const storeFiles = {
  S0: "hivemind.agents.env",
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
  /** Process ids with their start times: only these are ended at the end. */
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

  /** False if tmux refuses: a pane too small to be split is not a finding. */
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

  /** The same on the other tmux server, which shares the stores. */
  hivemindFar(...args: string[]): Promise<Ran> {
    return this.run(args, commandMs, { ...this.home.env, HIVEMIND_TMUX_SOCKET: this.farSocket });
  }

  private get farSocket(): string {
    return join(this.home.root, "far.sock");
  }

  /** The pid of the other tmux server; null if none runs. */
  farPid(): number | null {
    const args = ["-S", this.farSocket, "display-message", "-p", "#{pid}"];
    const { status, stdout } = spawnSync("tmux", args, { env: this.home.env, encoding: "utf8" });
    return status === 0 ? Number(stdout.trim()) : null;
  }

  async killFar(): Promise<void> {
    const pid = this.farPid();
    if (pid === null) return;
    const list = ["-S", this.farSocket, "list-panes", "-a", "-F", "#{pane_pid}"];
    const panes = spawnSync("tmux", list, { env: this.home.env, encoding: "utf8" }).stdout;
    const pids = [pid, ...panes.trim().split("\n").map(Number)];
    for (const each of pids) this.isAlive(each);
    await this.kill(pids);
  }

  /** Kills the command if it takes longer than that. */
  hivemindKilled(afterMs: number, ...args: string[]): Promise<Ran> {
    return this.run(args, afterMs);
  }

  private run(
    args: readonly string[],
    killAfterMs: number,
    env: NodeJS.ProcessEnv = this.home.env,
  ): Promise<Ran> {
    return new Promise((resolve) => {
      const child = spawn(process.execPath, [join(this.dist, "main.cjs"), ...args], {
        env,
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

  /** All panes; none without a server. */
  panes(): Seen[] {
    const fields = ["pane_id", "session_id", "session_name", "window_id", "window_index", "pane_index"];
    const format = [...fields, "pane_pid", "pane_dead", "@hivemind", "pane_title"].map(
      (each) => `#{${each}}`,
    );
    let rows: string[];
    try {
      rows = this.tmux("list-panes", "-a", "-F", format.join("\t")).split("\n");
    } catch {
      return [];
    }
    return rows.map((row) => {
      const [id, sessionId, sessionName, windowId, window, pane, pid, dead, mark, title] = row.split("\t");
      return {
        id: id!,
        sessionId: sessionId!,
        sessionName: sessionName!,
        windowId: windowId!,
        address: `${sessionName}:${window}.${pane}`,
        pid: Number(pid),
        isAlive: dead === "0" && this.isAlive(Number(pid)),
        mark: mark!,
        title: title!,
      };
    });
  }

  /** The client's registry entry of this process; null for a process that is not an agent, or has ended. */
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

  /** The sessions whose transcripts have this as a user message. */
  sessionsThatHeard(text: string): string[] {
    const projects = join(this.home.claude, "projects");
    const files = existsSync(projects) ? readdirSync(projects, { recursive: true, encoding: "utf8" }) : [];
    return files
      .filter((name) => name.endsWith(".jsonl") && holds(join(projects, name), JSON.stringify(text)))
      .map((name) => basename(name, ".jsonl"));
  }

  /** Types and enters the text; resolves when the agent has handled it. */
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

  /** Writes the file like a person's editor. */
  write(path: string, text: string): void {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, text, { mode: 0o600 });
  }

  remove(path: string): void {
    rmSync(path, { force: true });
  }

  /** Kills the server like a power cut, without any notice. Resolves when nothing of it runs. */
  async kill(pids: readonly number[]): Promise<void> {
    for (const pid of pids) if (this.isAlive(pid)) process.kill(pid, "SIGKILL");
    await until(`the end of ${pids.join(", ")}`, () => !pids.some((pid) => this.isAlive(pid)));
  }

  /** All agents of the roster. */
  roster(): Listed[] {
    return this.read("S0")
      .split("\n")
      .map((line) => line.split("|"))
      .filter((fields) => fields.length === 8 && /^[a-z2-7]{10}$/.test(fields[0]!))
      .map(([id, team, role, , session, seat, address]) => {
        const [, server, pane] = /,(\d+),\d+\/(%\d+)$/.exec(seat!) ?? [];
        return {
          id: id!,
          team: team!,
          role: role || null,
          session: session || null,
          seat: pane === undefined ? null : { server: Number(server), pane },
          address: address!,
        };
      });
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

  /** Ends what it started, and removes the home. */
  async close(): Promise<void> {
    for (const child of this.children) child.kill("SIGKILL");
    try {
      this.panes();
      this.isAlive(this.serverPid());
    } catch {
      // No server is left.
    }
    await this.killFar();
    await this.kill([...this.born.keys()]);
    removeHome(this.home);
  }

  /** Whether the process that had this pid when it was first seen still runs. */
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
