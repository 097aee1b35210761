// What there is right now, for completion.

import { isPaneAddress, isTeamName } from "../names/gates.js";
import type { Cli } from "./cli.js";
import type { Values } from "./complete.js";

/** Somebody who presses Tab wants words, not errors: what cannot be asked proposes nothing. */
export function liveValues(cli: Cli): Values {
  return async (meaning) => {
    if (meaning === "text" || meaning === "path") return [];
    try {
      if (meaning === "agent of the team file") return await writtenAgents(cli);
      const hive = await cli.hive();
      if (meaning === "snapshot") return hive.stores.snapshots.list().map(({ name }) => name);
      const teams = await hive.viewTeams();
      const agents = teams.flatMap((team) => team.agents);
      if (meaning === "team") return teams.map(({ team }) => team).filter(isTeamName);
      // A tmux session may be called anything; on a command line some of it would run.
      const panes = agents.filter(({ paneId }) => paneId !== null).map(({ pane }) => pane);
      if (meaning === "pane") return panes.filter(isPaneAddress);
      return agents.flatMap(({ role }) => role ?? []);
    } catch {
      return [];
    }
  };
}

/** Of the nearest file, which is meant where none is named. */
async function writtenAgents({ env }: Cli): Promise<string[]> {
  const { loadTeamFile } = await import("../teamfile/load-team-file.js");
  const { workspaceHere } = await import("./here.js");
  return loadTeamFile({ from: workspaceHere().path, env }).agents.map(({ id }) => id);
}
