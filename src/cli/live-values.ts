// What there is right now, for completion.

import { isPaneAddress, isTeamName } from "../names/gates.js";
import type { Cli } from "./cli.js";
import type { Values } from "./complete.js";

/** Somebody who presses Tab wants words, not errors: what cannot be asked proposes nothing. */
export function liveValues(cli: Cli): Values {
  return async (meaning) => {
    if (meaning === "text" || meaning === "path") return [];
    try {
      const teams = await (await cli.hive()).viewTeams();
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
