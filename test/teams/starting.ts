// A team of quiet panes in a test's own tmux, and the world that starts agents in them.

import { randomUUID } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Hive, openHive } from "../../src/hive/hive.js";
import type { PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import type { AgentStart } from "../../src/teams/start/start.js";
import type { TeamWorld } from "../../src/teams/world.js";
import { demoAgent, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";

export const team = "web" as TeamName;

export interface Starting {
  home: TestHome;
  hive: Hive;
  world: TeamWorld;
  panes: PaneId[];
  /** What a start needs, with its own new session. */
  start(at: number, more?: Partial<AgentStart>): AgentStart;
}

export function starting(panes = 2, interrupted?: AbortSignal): Starting {
  const home = testHome();
  tmuxTeam(home, team, panes);
  const hive = openHive({ env: home.env });
  const ids = home.tmux("list-panes", "-a", "-F", "#{pane_id}").trim().split("\n") as PaneId[];
  return {
    home,
    hive,
    world: hive.teamWorld({ progress: () => {}, note: () => {} }, interrupted),
    panes: ids,
    start: (at, more = {}) => ({
      pane: ids[at]!,
      kind: "demo",
      session: { how: "create", id: newId() },
      role: `agent${at}` as Role,
      team,
      cwd: home.work,
      ...more,
    }),
  };
}

export function newId(): SessionId {
  return randomUUID() as string as SessionId;
}

/** For every program that is started from now on. */
export function turnKnob(home: TestHome, knob: string, value: string): void {
  home.tmux("set-environment", "-g", knob, value);
}

/** A `claude` in PATH: a shell script that becomes a demo agent, unless it ends before. */
export function fakeClient(home: TestHome, before: string, args = '"$@"'): Record<string, string> {
  const folder = join(home.root, "bin");
  mkdirSync(folder, { recursive: true });
  const program = join(folder, "claude");
  writeFileSync(program, `#!/bin/sh\n${before}\nexec "${process.execPath}" "${demoAgent}" ${args}\n`);
  chmodSync(program, 0o755);
  return { ...home.env, PATH: `${folder}:${home.env.PATH}` };
}
