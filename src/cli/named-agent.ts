// How a command line names one agent: shared by every command that acts on one.

import { HiveError } from "../base/errors.js";
import { findPaneOrAgent, type PaneOrAgent } from "../fleet/find-pane.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { standingIn } from "../fleet/roster/roster.js";
import { runningTeam, whichTeam } from "../fleet/which-team.js";
import type { Hive } from "../hive/hive.js";
import { type TeamName, teamName } from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { type Argument, type Cli, given, type Input, ifGiven, type Option } from "./command.js";

export const nameArgument: Argument = {
  name: "name",
  about: "a role, team:window.pane, tmux %id or @agent-id",
  meaning: "role",
};

export const teamOption: Option = {
  name: "team",
  about: "look for NAME only in this team",
  value: "team",
  meaning: "team",
};

export function agentNamed(hive: Hive, panes: Panes, input: Input): FleetPane {
  return hive.paneNamed(panes, input.need("name"), ifGiven(input.option("team"), teamName));
}

/** The pane that NAME names, and the pane listing it was found in. */
export async function namedPane(cli: Cli, input: Input) {
  const hive = await cli.hive();
  const panes = await hive.panes();
  return { hive, panes, pane: agentNamed(hive, panes, input) };
}

/** The agent that NAME names, present or away. A running agent without an id gets one. */
export async function knownAgentNamed(hive: Hive, panes: Panes, input: Input): Promise<AgentRow> {
  return known(hive, panes, meantIn(hive, panes, input));
}

/** The pane or agent that NAME names, present or away. */
export function meantIn(hive: Hive, panes: Panes, input: Input): PaneOrAgent {
  return meantBy(hive, panes, input.need("name"), ifGiven(input.option("team"), teamName));
}

export function meantBy(hive: Hive, panes: Panes, typed: string, team?: TeamName): PaneOrAgent {
  return findPaneOrAgent(panes, typed, { own: hive.ownPane(panes), ...given({ team }) });
}

export async function known(hive: Hive, panes: Panes, { pane, agent }: PaneOrAgent): Promise<AgentRow> {
  const { knownAgent } = await import("../fleet/roster/known-agent.js");
  return pane === null ? agent : knownAgent(hive, panes, pane);
}

/** The agent that NAME names if it is away; null if it is in a pane. */
export function awayAgentNamed(hive: Hive, panes: Panes, input: Input): AgentRow | null {
  const { agent } = meantIn(hive, panes, input);
  return agent !== null && standingIn(panes.roster, agent) === "away" ? agent : null;
}

/** Its role, else its address, else its id. */
export function nameOfAgent({ id, role, address }: Pick<AgentRow, "id" | "role" | "address">): string {
  return role ?? address ?? `@${id}`;
}

/** The running team of this name. Without a name: the team this command runs in, or the active team. */
export function teamMeant(hive: Hive, panes: Panes, typed?: string): string {
  if (typed !== undefined) return runningTeam(panes, typed);
  return whichTeam(panes, { own: hive.ownPane(panes), active: hive.stores.activeTeam.read() });
}

/** Ending this pane would end this command with it. */
export function refuseOwn(hive: Hive, panes: Panes, { id, address }: FleetPane): void {
  if (hive.ownPane(panes)?.id !== id) return;
  throw new HiveError(`${address} is the pane this command runs in`, { hint: "run it from another pane" });
}
