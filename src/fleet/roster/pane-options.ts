// The copies of the roster in tmux: options of panes and of tmux sessions. They are written only when they differ.
//
// `@hivemind_agent` is `<pane id>|<agent id>`. A value with another pane's id was inherited and is ignored. An agent
// id that this roster does not know belongs to another config folder: it is shown and not overwritten. A closed pane
// or tmux session needs no option, so it is no failure here.

import { type AgentId, isAgentId } from "../../names/agent-id.js";
import { isTeamName } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { TmuxPane } from "../../tmux/listing.js";
import type { Tmux } from "../../tmux/tmux.js";
import { carriedTeam } from "./roster.js";

type Optioned = Pick<
  TmuxPane,
  "id" | "address" | "sessionId" | "sessionName" | "hivemind" | "agentOption" | "team"
>;

/** The agent named by the pane's own option. */
export function agentInOption({ id, agentOption }: Pick<TmuxPane, "id" | "agentOption">): AgentId | null {
  const [pane, agent = "", ...more] = agentOption.split("|");
  return pane === id && more.length === 0 && isAgentId(agent) ? agent : null;
}

/** The tmux commands that update the options of these panes. Pure. */
export function optionChanges(
  panes: readonly Optioned[],
  agents: readonly AgentRow[],
  sitters: ReadonlyMap<string, AgentRow>,
): string[][] {
  const known = new Set(agents.map(({ id }) => id));
  const changes: string[][] = [];
  const teams = new Map<string, string>();
  for (const pane of panes) {
    const agent = sitters.get(pane.id);
    if (agent?.address) teams.set(pane.sessionId, agent.team);
    const named = agentInOption(pane);
    if (named !== null && !known.has(named)) continue;
    if (agent === undefined && named === null) continue;
    changes.push(...paneChanges(pane, agent));
  }
  for (const pane of new Map(panes.map((each) => [each.sessionId, each])).values()) {
    const carried = carriedTeam(pane);
    // A session without agents keeps its option up to date too: otherwise every look would find it renamed.
    const ownName = carried !== null && isTeamName(pane.sessionName) ? pane.sessionName : undefined;
    const team = teams.get(pane.sessionId) ?? ownName;
    if (team !== undefined && carried !== team)
      changes.push(["set-option", "-t", pane.sessionId, "--", teamOption, `${pane.sessionId}|${team}`]);
  }
  return changes;
}

const teamOption = "@hivemind_team";

/** `@hivemind` is for users and status lines: `<pane id>|<address>|<role>`. */
function paneChanges(pane: Optioned, agent: AgentRow | undefined): string[][] {
  const { id } = pane;
  const wanted = [
    ["@hivemind_agent", agent && `${id}|${agent.id}`, pane.agentOption],
    ["@hivemind", agent?.address && `${id}|${agent.address}|${agent.role ?? ""}`, pane.hivemind],
  ] as const;
  return wanted.flatMap(([option, value, found]) => {
    if ((value ?? "") === found) return [];
    if (value) return [["set-option", "-p", "-t", id, "--", option, value]];
    return found.startsWith(`${id}|`) ? [["set-option", "-p", "-u", "-t", id, option]] : [];
  });
}

export async function writeOptions(tmux: Tmux, changes: readonly string[][]): Promise<void> {
  for (let from = 0; from < changes.length; from += atOnce) {
    const some = changes.slice(from, from + atOnce);
    const { failure } = await tmux.attempt(some);
    // tmux stops at the first closed pane, so the others are written one by one.
    if (failure?.reason === "no-target") for (const change of some) await tmux.attempt([change]);
    else if (failure !== null && failure.reason !== "no-server") throw failure;
  }
}

/** tmux accepts about 16,000 bytes per command. */
const atOnce = 60;
