// Demo agents in panes of a test's own tmux, as a person would have started them.

import { demoAgent, json } from "../command.js";
import { paneVariables, type TestHome, until } from "../home.js";

/** One pane for each list of arguments, all in one window; they may still be starting. */
export function startAgents(home: TestHome, team: string, ...agents: (readonly string[])[]): void {
  for (const [at, args] of agents.entries()) {
    const first = ["new-session", "-d", "-x", "200", "-y", "60", "-s", team];
    startOne(home, team, at === 0 ? first : ["split-window", "-d", "-t", `=${team}:0.${at - 1}`], args);
  }
}

/** In a new pane behind the team's pane with this number. */
export function startBehind(home: TestHome, team: string, pane: number, args: readonly string[]): void {
  startOne(home, team, ["split-window", "-d", "-t", `=${team}:0.${pane}`], args);
}

function startOne(home: TestHome, team: string, place: readonly string[], args: readonly string[]): void {
  home.tmux(
    ...[...place, "-c", home.work, ...paneVariables(home.env), process.execPath, demoAgent, ...args],
    ...[";", "select-layout", "-t", `=${team}:`, "tiled"],
  );
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
