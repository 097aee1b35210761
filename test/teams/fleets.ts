// Fleets of demo agents with conversations, in a test's own tmux: their state, and ways to kill them.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { findProcess } from "../../src/base/system/processes.js";
import { limits } from "../../src/limits.js";
import type { SessionId } from "../../src/names/gates.js";
import { demoAgent, hivemind, json } from "../command.js";
import { paneVariables, type TestHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";

/** A pane is the role of its agent, `?` for an agent without a name, or `-` for a shell. */
export interface SavedWindow {
  index: number;
  name: string;
  shape: string;
  panes: readonly string[];
}

export type FleetSpec = Readonly<Record<string, readonly SavedWindow[]>>;

/** Three agents and a shell in one window. */
export const smallFleet: FleetSpec = {
  web: [{ index: 0, name: "all", shape: "tiled", panes: ["lead", "-", "builder", "scout"] }],
};

/** One agent more than start together. */
export const crowdedFleet: FleetSpec = {
  web: [
    { index: 0, name: "most", shape: "tiled", panes: rolesTo(limits.demoStartsAtOnce - 4) },
    { index: 1, name: "rest", shape: "tiled", panes: ["a", "b", "c", "d", "e"] },
  ],
};

function rolesTo(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `role-${at}`);
}

/** Registered and saved; resolves when every agent has answered once. */
export async function startFleet(home: TestHome, spec: FleetSpec): Promise<void> {
  let number = 0;
  let last = "";
  for (const [team, windows] of Object.entries(spec)) {
    for (const [at, { index, name, shape, panes }] of windows.entries()) {
      for (const [rank, role] of panes.entries()) {
        const place =
          rank > 0
            ? ["split-window", "-d", "-t", last]
            : at > 0
              ? ["new-window", "-d", "-t", `=${team}:${index}`, "-n", name]
              : ["new-session", "-d", "-x", "200", "-y", "60", "-s", team, "-n", name];
        const id = idOf(++number);
        const program =
          role === "-"
            ? ["sh"]
            : demo(["--session-id", id, ...(role === "?" ? [] : ["-n", role]), `hello from ${role}`]);
        const cwd = folderOf(home, team, role);
        last = home
          .tmux(...place, "-P", "-F", "#{pane_id}", "-c", cwd, ...paneVariables(home.env), ...program)
          .trim();
        home.tmux("select-layout", "-t", `=${team}:${index}`, "tiled");
      }
      home.tmux("select-layout", "-t", `=${team}:${index}`, shape);
    }
  }
  const agents = Object.values(spec).flatMap((windows) => windows.flatMap(({ panes }) => panes));
  const count = agents.filter((role) => role !== "-").length;
  await until("every agent has answered", () => {
    const answered = panesOf(home).filter(({ activity, model }) => activity === "idle" && model !== null);
    return answered.length === count;
  });
  for (const team of Object.keys(spec)) hivemind(home, ["team", "register", team]);
  const { code, stderr } = hivemind(home, ["registry", "refresh"]);
  if (code !== 0) throw new Error(stderr);
}

/** tmux counts windows and panes from here, also in a server that hivemind starts. */
export function countFrom(home: TestHome, base: number): void {
  const lines = [`set -g base-index ${base}`, `set -g pane-base-index ${base}`];
  writeFileSync(join(home.home, ".tmux.conf"), `${lines.join("\n")}\n`);
  if (base !== 0)
    home.tmux("-f", join(home.home, ".tmux.conf"), "start-server", ";", "set", "-g", "exit-empty", "off");
}

export interface LivePane {
  pane: string;
  paneId: string | null;
  agent: string | null;
  role: string | null;
  uuid: SessionId | null;
  kind: string;
  cwd: string;
  activity: string;
  model: string | null;
}

/** The panes of running teams; for a team that does not run, its agents that can come back. */
export function panesOf(home: TestHome): LivePane[] {
  const { teams } = json<{ teams: { running: boolean; agents: LivePane[] }[] }>(home, ["status"]);
  return teams.flatMap(({ running, agents }) => agents.filter(({ paneId }) => !running || paneId !== null));
}

/** Everything that must be the same again: which agent is where, in which window, of which size. */
export function picture(home: TestHome): object[] {
  const known = new Map(panesOf(home).map((pane) => [pane.pane, pane]));
  const fields = ["session_name", "window_index", "pane_index", "window_name", "pane_left", "pane_top"];
  const format = [...fields, "pane_width", "pane_height"].map((field) => `#{${field}}`).join("\t");
  const ranks = new Map<string, number>();
  const rows = home.tmux("list-panes", "-a", "-F", format).trim().split("\n").sort();
  return rows.map((row) => {
    const [team, window, index, name, ...box] = row.split("\t");
    const rank = ranks.get(`${team}:${window}`) ?? 0;
    ranks.set(`${team}:${window}`, rank + 1);
    const { role, uuid, kind, cwd } = known.get(`${team}:${window}.${index}`)!;
    return { team, window, rank, name, box: box.join(" "), role, uuid, kind, cwd };
  });
}

/** Like a power cut: nothing is saved, and nothing runs afterwards. */
export async function killServer(home: TestHome): Promise<void> {
  const pids = home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);
  process.kill(Number(home.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
  await until("the end of everything in it", () => pids.every((pid) => findProcess(pid) === null));
}

/** Only the team ends: another tmux session keeps its server alive. */
export async function killTeam(home: TestHome, team: string): Promise<void> {
  const pids = home.tmux("list-panes", "-s", "-t", `=${team}`, "-F", "#{pane_pid}").trim().split("\n");
  home.tmux("new-session", "-d", "-s", "beside", "cat");
  home.tmux("kill-session", "-t", `=${team}`);
  await until("the end of everything in it", () => {
    // tmux may not reap them before something else ends.
    home.tmux("run-shell", "true");
    return pids.map(Number).every((pid) => findProcess(pid) === null);
  });
}

export const restore = (home: TestHome, ...args: string[]) => hivemind(home, ["teams", "restore", ...args]);

/** A restore puts every session into one pane and everything back in place; a second one has nothing to do. */
export function expectWhole(home: TestHome, before: object[]): void {
  expect(restore(home)).toMatchObject({ code: 0, stderr: "" });
  expect(picture(home)).toEqual(before);
  expect(restore(home).stdout).toBe("web: nothing to do\n");
}

function demo(args: readonly string[]): string[] {
  return [process.execPath, demoAgent, ...args];
}

function folderOf(home: TestHome, team: string, role: string): string {
  const folder = join(home.work, `${team}.${role.replace("-", "shell").replace("?", "nobody")}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}
