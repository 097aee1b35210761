// What a person should hear of: an agent that began to wait, hit a limit, or ended. Pure.
//
// - Each fact is reported once, when it begins. What the first look finds is no news.
// - A tmux server that ends is one fact, not one per agent. After a new server starts, the next look counts as a first look.
// - An agent that a command ends, and an agent of a team that a command is changing, is no alarm.
// - An agent is a process in a pane: another process in the same pane begins anew.

import { type ActivityReading, activityOf, isVague } from "../fleet/activity/activity.js";
import type { SeenActivities } from "../fleet/activity/activity-screens.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { listens } from "../messages/stance.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId } from "../names/gates.js";
import type { AgentFact, Fact } from "./fact.js";

export interface Noticed {
  /** The process of the tmux server; null when none ran. */
  server: number | null;
  agents: ReadonlyMap<PaneId, NoticedAgent>;
}

export interface NoticedAgent {
  /** Null for an unknown agent. */
  agent: AgentId | null;
  pid: number;
  /** Whether it would take a message. */
  listens: boolean;
  place: Pick<AgentFact, "pane" | "paneId" | "team" | "role">;
  reading: Pick<ActivityReading, "activity" | "waitingFor" | "about" | "untilMs">;
}

export interface Sight {
  fleet: Fleet;
  screens: SeenActivities;
  /** Agents that a command ended since the last look, by id or else by address. */
  killed: ReadonlySet<string>;
  /** Teams that a command is changing. */
  changing: ReadonlySet<string>;
}

/** `before` is null at the first look. */
export function notice(before: Noticed | null, sight: Sight): { now: Noticed; facts: Fact[] } {
  const { fleet } = sight;
  const server = fleet.server?.pid ?? null;
  const now: Noticed = { server, agents: agentsIn(sight) };
  if (before === null) return { now, facts: [] };
  if (before.server !== server)
    return { now, facts: [{ kind: "server", text: serverText(before.server, server) }] };
  const agents = new Map(now.agents);
  const facts: AgentFact[] = [];
  for (const [id, agent] of before.agents) {
    if (sight.killed.has(agent.agent ?? agent.place.pane)) agents.delete(id);
    else if (sight.changing.has(agent.place.team)) agents.set(id, agent);
    else if (!now.agents.has(id)) {
      const pane = fleet.panes.find((each) => each.id === id);
      facts.push(endOf(agent, pane));
    }
  }
  for (const [id, agent] of now.agents) {
    if (sight.changing.has(agent.place.team)) continue;
    const earlier = before.agents.get(id);
    const fact = beginningOf(agent, earlier?.pid === agent.pid ? earlier : undefined);
    if (fact !== null) facts.push(fact);
  }
  return { now: { server, agents }, facts };
}

function agentsIn({ fleet, screens }: Sight): Map<PaneId, NoticedAgent> {
  return new Map(
    fleet.panes.flatMap((pane) => {
      if (pane.process === null) return [];
      const hook = fleet.hooks.claims.get(pane.id) ?? null;
      const doing = activityOf(pane, hook, screens.get(pane.id));
      const { activity, waitingFor, about, untilMs } = doing;
      const place = { pane: pane.address, paneId: pane.id, team: pane.sessionName, role: roleOf(pane) };
      const reading = { activity, waitingFor, about, untilMs };
      const agent = pane.agent?.id ?? null;
      return [[pane.id, { agent, pid: pane.process.pid, listens: listens(doing), place, reading }] as const];
    }),
  );
}

function beginningOf({ place, reading }: NoticedAgent, earlier: NoticedAgent | undefined): AgentFact | null {
  const { activity, waitingFor, about, untilMs } = reading;
  const was = earlier?.reading;
  if (activity === "waiting") {
    // What it asks may become known a moment after it began to ask.
    const isSame = was?.waitingFor === waitingFor || isVague(was?.waitingFor ?? null);
    if (was?.activity === "waiting" && isSame) return null;
    return { kind: "waiting", ...place, about: waitingFor, untilMs: null };
  }
  if (activity !== "limited" || was?.activity === "limited") return null;
  return { kind: "limited", ...place, about, untilMs };
}

function endOf({ place }: NoticedAgent, pane: FleetPane | undefined): AgentFact {
  const nothing = { ...place, untilMs: null };
  if (pane === undefined) return { kind: "ended", ...nothing, about: "its pane is gone" };
  const { activity, evidence } = activityOf(pane);
  const kind = activity === "crashed" ? "crashed" : "ended";
  return { kind, ...nothing, about: evidence[0]?.reason ?? null };
}

function serverText(before: number | null, now: number | null): string {
  if (now === null) return "the tmux server has ended";
  return before === null ? "a tmux server started" : "another tmux server runs now";
}
