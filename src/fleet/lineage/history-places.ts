// The places on which the history of one pane, agent or session depends: a log of a million rows has few of them.
// Pure.
//
// - Places are connected if one agent was at both, or panes moved between them. Nothing that happens at a place that
//   is not connected changes an answer.
// - After a rename, the places of a team are those of its old name.

import type { HiveEvent } from "../../events/event.js";
import type { AgentId } from "../../names/agent-id.js";
import {
  addressOf,
  addressParts,
  isPaneAddress,
  type PaneAddress,
  type TeamName,
} from "../../names/gates.js";
import { topOf } from "../../transcripts/lineage/families.js";
import type { FleetPane } from "../panes.js";

/** Where to begin. */
export interface Seeds {
  places: readonly PaneAddress[];
  agents: readonly AgentId[];
}

/** Every place that is connected with a seed, under every name of its team. */
export function connectedPlaces(
  events: readonly HiveEvent[],
  panes: readonly Pick<FleetPane, "address" | "agent">[],
  seeds: Seeds,
): ReadonlySet<PaneAddress> {
  const renamed = new Map<TeamName, TeamName>();
  const teams = new Set<TeamName>();
  for (const event of events) {
    if (event.name !== "team.renamed") continue;
    join(renamed, event.old, event.new);
    teams.add(event.old).add(event.new);
  }
  const placeOf = (address: PaneAddress): Node => {
    const { team, window, pane } = addressParts(address);
    return addressOf(topOf(renamed, team), window, pane) as PaneAddress;
  };
  const above = new Map<Node, Node>();
  const known = new Set<Node>(seeds.places.map(placeOf));
  const connect = (places: readonly PaneAddress[], agents: readonly (AgentId | undefined)[]) => {
    const nodes = [...places.map(placeOf), ...agents.filter((agent) => agent !== undefined)];
    for (const node of nodes) {
      known.add(node);
      join(above, node, nodes[0]!);
    }
  };
  for (const event of events) for (const link of linksIn(event)) connect(link.places, link.agents);
  for (const { address, agent } of panes) {
    if (agent !== null && isPaneAddress(address)) connect([address], [agent.id]);
  }
  const tops = new Set([...seeds.places.map(placeOf), ...seeds.agents].map((node) => topOf(above, node)));
  const found = new Set<PaneAddress>();
  for (const node of known) {
    if (!isPaneAddress(node) || !tops.has(topOf(above, node))) continue;
    const { team, window, pane } = addressParts(node);
    const names = [...teams].filter((each) => topOf(renamed, each) === team);
    for (const name of [team, ...names]) found.add(addressOf(name, window, pane) as PaneAddress);
  }
  return found;
}

type Node = PaneAddress | AgentId;

/** The places and agents that an event connects. */
export function linksIn(event: HiveEvent): Seeds[] {
  if (event.name === "panes.shifted") return event.moves.map(moved);
  if (event.name === "pane.moved") return [moved(event)];
  if (event.name === "panes.swapped") return [{ places: [event.a, event.b], agents: [] }];
  if (!("pane" in event) || event.pane === null) return [];
  return [{ places: [event.pane], agents: event.agent === undefined ? [] : [event.agent] }];
}

function moved({ from, to, agent }: { from: PaneAddress; to: PaneAddress; agent?: AgentId }): Seeds {
  return { places: [from, to], agents: agent === undefined ? [] : [agent] };
}

function join<Id>(above: Map<Id, Id>, one: Id, other: Id): void {
  const [low, high] = [topOf(above, one), topOf(above, other)];
  if (low !== high) above.set(low, high);
}
