// The demo's teams: demo agents on their own tmux server, registered like any other team, with hooks that hand their
// requests over.

import { handlers } from "../agents/claude/hooks/handler.js";
import { installHooks, userSettings } from "../agents/claude/hooks/settings-file.js";
import { demoCommand } from "../agents/demo/demo.js";
import { type Hive, openHive } from "../hive/hive.js";
import { newAgentId } from "../names/agent-id.js";
import type { PaneId, Role, TeamName } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { listServer } from "../tmux/listing.js";
import { setPaneTitle, splitWindow } from "../tmux/pane.js";
import { placeholder, startProgram } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { openTmux, type Tmux } from "../tmux/tmux.js";
import { selectLayout } from "../tmux/window.js";
import type { ThrowAwayHome } from "./home.js";

interface DemoTeam {
  team: TeamName;
  description: string;
  roles: readonly Role[];
  hasShell: boolean;
}

export const demoTeam: DemoTeam = {
  team: "demo" as TeamName,
  description: "Three demo agents and a shell",
  roles: ["lead", "builder", "reviewer"] as Role[],
  hasShell: true,
};

export const secondTeam: DemoTeam = {
  team: "docs" as TeamName,
  description: "Two demo agents who write the manual",
  roles: ["writer", "editor"] as Role[],
  hasShell: false,
};

/** Resolves when every agent has been started; the fleet shows whether it is up. */
export async function startDemoTeams(
  home: ThrowAwayHome,
  program: readonly [string, string],
  teams: readonly DemoTeam[],
): Promise<Hive> {
  const hive = openHive({ env: home.env, program });
  await installHooks(userSettings(home.env), hive.stores.hookReports.folder);
  hive.stores.hookReports.placeHandlers(handlers);
  // This server does not use the user's tmux configuration.
  const tmux = openTmux({ env: home.env, configFile: "/dev/null" });
  const started: AgentStart[] = [];
  for (const each of teams) {
    started.push(...(await startTeam(tmux, home, each)));
    await hive.emit({ name: "team.created", team: each.team, description: each.description });
  }
  await hive.stores.activeTeam.write(demoTeam.team);
  const epoch = Math.floor(Date.now() / 1000);
  await hive.change(({ agents, server }) => {
    const seated = started.map(
      ({ team, role, pane, address }): AgentRow => ({
        ...{ id: newAgentId(), team, role, kind: "demo", session: deriveSessionId(team, role) },
        ...{ seat: { server: server!, pane }, address, epoch },
      }),
    );
    return { agents: [...agents, ...seated] };
  });
  return hive;
}

interface AgentStart extends Pick<AgentRow, "team" | "address"> {
  role: Role;
  pane: PaneId;
}

async function startTeam(
  tmux: Tmux,
  home: ThrowAwayHome,
  { team, roles, hasShell }: DemoTeam,
): Promise<AgentStart[]> {
  const cwd = home.workFolder;
  const size = { width: 160, height: 48 };
  const first = await newSession(tmux, { name: team, windowName: "team", cwd, ...size, argv: placeholder });
  const panes: PaneId[] = [first.pane];
  while (panes.length < roles.length)
    panes.push(await splitWindow(tmux, panes.at(-1)!, { cwd, argv: placeholder }));
  if (hasShell)
    await setPaneTitle(tmux, await splitWindow(tmux, panes.at(-1)!, { cwd, env: home.env }), "shell");
  const listing = await listServer(tmux);
  const placeOf = (pane: PaneId) => listing.panes.find(({ id }) => id === pane)!;
  await selectLayout(tmux, placeOf(first.pane).windowId, "tiled");
  for (const [at, role] of roles.entries()) {
    const argv = demoCommand("--session-id", deriveSessionId(team, role), "-n", role);
    const env = { ...home.env, HIVEMIND_ROLE: role, HIVEMIND_TEAM: team };
    await startProgram(tmux, panes[at]!, { argv, cwd, env, remainOnExit: true });
  }
  return roles.map((role, at) => ({ team, role, pane: panes[at]!, address: placeOf(panes[at]!).address }));
}
