// A team file in a test's own home, and the commands that use it.

import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { deriveSessionId } from "../../src/names/session-id.js";
import { hivemind, json, mainProgram, type Ran } from "../command.js";
import { type TestHome, testHome } from "../home.js";

export interface WrittenTeam {
  home: TestHome;
  /** Rewrites the file; an agent is its settings, one per line, of kind demo by default. */
  write(agents: Readonly<Record<string, readonly string[]>>, top?: readonly string[]): void;
  run(...args: string[]): Ran;
  /** In the background. */
  begin(...args: string[]): Running;
  /** The running agents of the team, by role. */
  agents(): Record<string, LiveAgent>;
}

export interface Running {
  child: ChildProcess;
  ended: Promise<Ran>;
}

export interface LiveAgent {
  pane: string;
  kind: string;
  uuid: SessionId | null;
  pid: number;
  isDead: boolean;
  cwd: string;
}

export const idFor = (agent: string): SessionId => deriveSessionId("shop", agent);

export function writtenTeam(
  agents: Readonly<Record<string, readonly string[]>>,
  env: Record<string, string> = {},
): WrittenTeam {
  const home = testHome();
  const all = { ...home.env, ...env };
  const team: WrittenTeam = {
    home,
    write(agents, top = ["project: shop"]) {
      const lines = Object.entries(agents).flatMap(([id, settings]) => {
        const isKind = settings.some((line) => line.startsWith("kind:"));
        return [`  ${id}:`, ...[...(isKind ? [] : ["kind: demo"]), ...settings].map((line) => `    ${line}`)];
      });
      writeFileSync(join(home.work, "hivemind.yaml"), [...top, "agents:", ...lines, ""].join("\n"));
    },
    run: (...args) => hivemind(home, args, { env: all }),
    begin(...args) {
      const child = spawn(process.execPath, [mainProgram, ...args], { env: all, cwd: home.work });
      const said = { stdout: "", stderr: "" };
      for (const name of ["stdout", "stderr"] as const)
        child[name].setEncoding("utf8").on("data", (text) => (said[name] += text));
      const ended = new Promise<Ran>((resolve) => child.on("close", (code) => resolve({ code, ...said })));
      onTestFinished(async () => {
        child.kill("SIGKILL");
        await ended;
      });
      return { child, ended };
    },
    agents: () => agentsOf(home),
  };
  team.write(agents);
  return team;
}

function agentsOf(home: TestHome): Record<string, LiveAgent> {
  type Shown = LiveAgent & { role: string | null; paneId: string | null };
  const { teams } = json<{ teams: { agents: Shown[] }[] }>(home, ["status"]);
  const shown = teams.flatMap(({ agents }) => agents);
  const named = shown.filter(({ role, paneId }) => role !== null && paneId !== null);
  // After the look: an agent may have taken the pane meanwhile.
  const format = "#{session_name}:#{window_index}.#{pane_index} #{pane_pid} #{pane_dead}";
  const listed = home.tmux("list-panes", "-a", "-F", format).trim().split("\n");
  const places = new Map(listed.map((line) => [line.split(" ")[0]!, line.split(" ")]));
  return Object.fromEntries(
    named.map(({ role, pane, kind, uuid, cwd }) => {
      const [, pid, dead] = places.get(pane)!;
      return [role, { pane, kind, uuid, pid: Number(pid), isDead: dead === "1", cwd }];
    }),
  );
}
