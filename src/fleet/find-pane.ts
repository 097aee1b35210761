// Finds the pane or agent that a user typed. From here on, commands use the pane's id.
//
// A tmux session whose name cannot be stored is refused. The hint is the tmux command that renames it, with the
// pane's id instead of the name: a shell might execute the name.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import {
  isPaneId,
  isTeamName,
  type PaneAddress,
  paneName,
  role,
  rules,
  type SessionId,
} from "../names/gates.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { findPane } from "../tmux/listing.js";
import { type ServerChoice, typedTmux } from "../tmux/socket.js";
import type { Fleet } from "./observe.js";
import type { FleetPane, Panes } from "./panes.js";
import { agentNotPresent, type ResolveContext, resolveRole } from "./resolve.js";
import { isAgent } from "./roster/role-of.js";

/** The pane with exactly this address or id. Anything else is refused, never guessed. */
export function findPaneIn(fleet: Panes, typed: string): FleetPane {
  const name: string = paneName(typed);
  const found = findPane(fleet, name);
  if (found !== null) return found;
  const team = name.startsWith("%") ? "" : name.slice(0, name.lastIndexOf(":"));
  const near = fleet.panes.filter(({ sessionName }) => sessionName === team).map(({ address }) => address);
  throw new HiveError(`there is no pane ${name}`, {
    hint: near.length > 0 ? `panes of ${team}: ${near.join(", ")}` : "list the panes: hivemind status",
  });
}

/** The pane whose agent is in this session. */
export function paneOfSession(
  { panes, sessions }: Pick<Fleet, "panes" | "sessions">,
  session: SessionId,
): FleetPane | undefined {
  return panes.find((pane) => isAgent(pane) && sessions.get(pane.id)?.uuid === session);
}

/** Like findPaneIn, but also accepts an agent's id (`@…`) or a role. No form can be mistaken for another. */
export function paneNamed(fleet: Panes, typed: string, context: ResolveContext): FleetPane {
  if (typed.startsWith("@")) return paneOfAgent(fleet, agentNamed(fleet, typed));
  const isPane = isPaneId(typed) || typed.includes(":");
  return isPane ? findPaneIn(fleet, typed) : resolveRole(fleet, role(typed), context);
}

/** What the user meant: a pane, or an agent that has no pane on this server. */
export type PaneOrAgent = { pane: FleetPane; agent: AgentRow | null } | { pane: null; agent: AgentRow };

/**
 * Accepts the same forms, also for an agent that is away or on another server. A closed pane means its last agent.
 */
export function findPaneOrAgent(fleet: Panes, typed: string, context: ResolveContext): PaneOrAgent {
  const absent = absentFor(fleet, typed, context);
  if (absent !== null) return { pane: null, agent: absent };
  const pane = paneNamed(fleet, typed, context);
  return { pane, agent: pane.agent };
}

function absentFor(fleet: Panes, typed: string, { own, team }: ResolveContext): AgentRow | null {
  const isHere = (agent: AgentRow) => fleet.panes.some((pane) => pane.agent?.id === agent.id);
  if (typed.startsWith("@")) {
    const agent = agentNamed(fleet, typed);
    return isHere(agent) ? null : agent;
  }
  const absent = fleet.roster.agents.filter((agent) => !isHere(agent));
  if (typed.includes(":")) {
    const exists = findPane(fleet, typed) !== null;
    const last = absent.filter(({ address }) => address === typed).toSorted((a, b) => b.epoch - a.epoch)[0];
    return exists ? null : (last ?? null);
  }
  const isMeant = (agent: AgentRow) => agent.role === typed && (team === undefined || agent.team === team);
  if (fleet.panes.some(({ agent }) => agent !== null && isMeant(agent))) return null;
  const found = absent.filter(isMeant);
  const beside = found.filter((agent) => agent.team === own?.sessionName);
  const choice = beside.length > 0 ? beside : found;
  if (choice.length > 1)
    throw new HiveError(`several away agents have the role "${harmless(typed)}"`, {
      hint: choice.map((agent) => `@${agent.id} of ${agent.team}`).join(", "),
    });
  return choice[0] ?? null;
}

/** The agent with exactly this id (`@…`), present or not. */
export function agentNamed({ roster }: Pick<Panes, "roster">, typed: string): AgentRow {
  const found = roster.agents.find(({ id }) => `@${id}` === typed);
  if (found !== undefined) return found;
  throw new HiveError(`there is no agent ${harmless(typed)}`, { hint: "list the agents: hivemind status" });
}

export function paneOfAgent(fleet: Panes, agent: AgentRow): FleetPane {
  const found = fleet.panes.find((pane) => pane.agent?.id === agent.id);
  if (found === undefined) throw agentNotPresent(fleet, agent);
  return found;
}

/** The pane's address in a form that a row can store: tmux allows session names that no store can hold. */
export function rowAddress(pane: FleetPane, server: ServerChoice | undefined): PaneAddress {
  if (isTeamName(pane.sessionName)) return pane.address;
  throw new HiveError(`refused "${harmless(pane.sessionName)}": ${rules.team}`, {
    hint: `rename it: ${typedTmux(server, "rename-session", "-t", pane.id, "NAME")}`,
  });
}
