// The demo's team: three demo agents and a shell on their own tmux server, registered like any other team.

import { demoCommand } from "../agents/demo/demo.js";
import { type Hive, openHive } from "../hive/hive.js";
import { newAgentId } from "../names/agent-id.js";
import type { PaneId, Role, TeamName } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import { listServer } from "../tmux/listing.js";
import { setPaneTitle, splitWindow } from "../tmux/pane.js";
import { placeholder, startProgram } from "../tmux/program.js";
import { newSession } from "../tmux/session.js";
import { openTmux } from "../tmux/tmux.js";
import { selectLayout } from "../tmux/window.js";
import type { ThrowAwayHome } from "./home.js";

export const demoTeam = "demo" as TeamName;
export const demoRoles = ["lead", "builder", "reviewer"] as Role[];

/** Resolves when every agent has been started; the fleet shows whether it is up. */
export async function startDemoTeam(home: ThrowAwayHome): Promise<Hive> {
  const hive = openHive({ env: home.env });
  // This server does not use the user's tmux configuration.
  const tmux = openTmux({ env: home.env, configFile: "/dev/null" });
  const size = { width: 160, height: 48 };
  const first = await newSession(tmux, {
    name: demoTeam,
    windowName: "team",
    cwd: home.workFolder,
    ...size,
    argv: placeholder,
  });
  const panes: PaneId[] = [first.pane];
  while (panes.length < demoRoles.length) {
    panes.push(await splitWindow(tmux, panes.at(-1)!, { cwd: home.workFolder, argv: placeholder }));
  }
  const shell = await splitWindow(tmux, panes.at(-1)!, { cwd: home.workFolder, env: home.env });
  const listing = await listServer(tmux);
  const placeOf = (pane: PaneId) => listing.panes.find(({ id }) => id === pane)!;
  await selectLayout(tmux, placeOf(first.pane).windowId, "tiled");
  await setPaneTitle(tmux, shell, "shell");

  await hive.emit({ name: "team.created", team: demoTeam, description: "Three demo agents and a shell" });
  await hive.stores.activeTeam.write(demoTeam);
  for (const [at, role] of demoRoles.entries()) {
    const uuid = deriveSessionId(demoTeam, role);
    const argv = demoCommand("--session-id", uuid, "-n", role);
    const env = { ...home.env, HIVEMIND_ROLE: role, HIVEMIND_TEAM: demoTeam };
    await startProgram(tmux, panes[at]!, { argv, cwd: home.workFolder, env, remainOnExit: true });
  }
  const epoch = Math.floor(Date.now() / 1000);
  await hive.change(({ agents, server }) => {
    const started = demoRoles.map((role, at) => ({
      id: newAgentId(),
      team: demoTeam,
      role,
      kind: "demo",
      session: deriveSessionId(demoTeam, role),
      seat: { server: server!, pane: panes[at]! },
      address: placeOf(panes[at]!).address,
      epoch,
    }));
    return { agents: [...agents, ...started] };
  });
  return hive;
}
