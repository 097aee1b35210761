// Demo agents in panes of a test's own tmux, as a person would have started them.

import { demoAgent, json } from "../command.js";
import { paneVariables, type TestHome, until } from "../home.js";

/** One pane for each list of arguments, all in one window; they may still be starting. */
export function startAgents(home: TestHome, team: string, ...agents: (readonly string[])[]): void {
  for (const [at, args] of agents.entries()) {
    const place =
      at === 0
        ? ["new-session", "-d", "-x", "200", "-y", "60", "-s", team]
        : ["split-window", "-d", "-t", `=${team}:0.${at - 1}`];
    home.tmux(
      ...[...place, "-c", home.work, ...paneVariables(home.env), process.execPath, demoAgent, ...args],
      ...[";", "select-layout", "-t", `=${team}:`, "tiled"],
    );
  }
}

interface Status {
  teams: { team: string; agents: Record<string, unknown>[] }[];
}

/** Resolves when that many agents are idle. */
export function idleAgents(home: TestHome, count: number): Promise<Record<string, unknown>[]> {
  return until(`${count} idle agents`, () => {
    const agents = json<Status>(home, ["status"]).teams.flatMap((team) => team.agents);
    // An agent draws its box a moment before it tells its session.
    const idle = agents.filter(({ activity, uuid }) => activity === "idle" && uuid !== null);
    return idle.length === count ? idle : null;
  });
}
