// The history of what a reference names: a pane, an agent or a session.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { utcSeconds } from "../../base/text/utc.js";
import type { HiveEvent } from "../../events/event.js";
import { isPaneAddress, type PaneAddress, paneAddress, type SessionId } from "../../names/gates.js";
import type { HookReport } from "../../stores/hooks/hook-reports.js";
import type { Stores } from "../../stores/stores.js";
import { findPaneOrAgent } from "../find-pane.js";
import { isFromPane, statementsOf } from "../identity/hook-claims.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { hasIdForm, sessionNamed } from "../sessions/session-find.js";
import { type Stay, staysAt, staysBy, staysOf, staysWith } from "./history.js";
import { addPresent, historiesOf } from "./history-lives.js";
import { connectedPlaces, linksIn, type Seeds } from "./history-places.js";

/** A part of the hive. */
export interface HistoryWorld {
  stores: Pick<Stores, "events" | "forks" | "hookReports">;
  observe(): Promise<Fleet>;
  ownPane(fleet: Fleet): FleetPane | null;
  paneNamed(fleet: Fleet, typed: string): FleetPane;
}

export interface NamedHistory {
  /** Either the pane or the session is set; the other is null. */
  pane: PaneAddress | null;
  session: SessionId | null;
  /** Never empty. */
  stays: readonly Stay[];
}

export async function historyNamed(world: HistoryWorld, ref: string): Promise<NamedHistory> {
  const fleet = await world.observe();
  const { forks } = world.stores;
  const log = world.stores.events.read().rows;
  const reports = world.stores.hookReports.read().reports;
  const events = log.map(({ event }) => event);
  const places = connectedPlaces(events, fleet.panes, seedsOf(world, ref, { fleet, events, reports }));
  const lives = historiesOf(log, forks.at(places));
  const present = addPresent(lives, fleet, reports);
  if (hasIdForm(ref)) {
    const known = new Set(lives.all.flatMap(({ facts }) => facts.flatMap((each) => each.session ?? [])));
    const session = sessionNamed(ref, known, fleet, (typed) => world.paneNamed(fleet, typed));
    return { pane: null, session, stays: staysWith(lives, session) };
  }
  if (ref.includes(":")) {
    const pane = paneAddress(ref);
    const stays = staysAt(lives, pane);
    if (stays.length > 0) return { pane, session: null, stays };
    throw new HiveError(`no history of ${pane} is on record`, { hint: "hivemind status" });
  }
  const meant = findPaneOrAgent(fleet, ref, { own: world.ownPane(fleet) });
  const pane = meant.pane?.address ?? meant.agent?.address ?? null;
  const life = meant.pane === null ? undefined : present.get(meant.pane.id);
  const stays =
    meant.agent !== null ? staysBy(lives, meant.agent.id) : life === undefined ? [] : staysOf(life);
  if (stays.length > 0) return { pane, session: null, stays };
  throw new HiveError(`no history of ${harmless(ref)} is on record`, {
    hint:
      pane !== null && isPaneAddress(pane)
        ? `for earlier agents in that pane: hivemind history ${pane}`
        : "hivemind status",
  });
}

interface Known {
  fleet: Fleet;
  events: readonly HiveEvent[];
  reports: readonly HookReport[];
}

/** The places and agents that the reference names, and all that an id or its beginning was seen at. */
function seedsOf(world: HistoryWorld, ref: string, { fleet, events, reports }: Known): Seeds {
  const paneSeeds = ({ address, agent }: FleetPane): Seeds => ({
    places: isPaneAddress(address) ? [address] : [],
    agents: agent === null ? [] : [agent.id],
  });
  if (hasIdForm(ref)) {
    const start = ref.toLowerCase();
    const isMeant = (id: unknown) => typeof id === "string" && id.startsWith(start);
    const rows = [...world.stores.forks.scan({ uuidStart: start })];
    const said = events.filter((event) => Object.values(event).some(isMeant)).flatMap(linksIn);
    const statements = statementsOf(reports).filter(({ session }) => isMeant(session));
    const isThere = (pane: FleetPane) =>
      isMeant(fleet.sessions.get(pane.id)?.uuid) ||
      statements.some(({ report }) => isFromPane(report, pane.id, fleet.server));
    const seeds = [...said, ...fleet.panes.filter(isThere).map(paneSeeds)];
    return {
      places: [...rows.flatMap(({ pane }) => pane ?? []), ...seeds.flatMap(({ places }) => places)],
      agents: seeds.flatMap(({ agents }) => agents),
    };
  }
  if (ref.includes(":")) return { places: [paneAddress(ref)], agents: [] };
  const { pane, agent } = findPaneOrAgent(fleet, ref, { own: world.ownPane(fleet) });
  const own = pane === null ? { places: [], agents: [] } : paneSeeds(pane);
  return { places: own.places, agents: agent === null ? own.agents : [...own.agents, agent.id] };
}

/** For programs. */
export function stayRow({ session, role, fromMs, toMs, places, sources, end }: Stay) {
  const isOver = end !== null && end !== "now";
  return {
    session,
    role,
    seenFrom: utcSeconds(fromMs),
    seenTo: utcSeconds(toMs),
    places: places.map((seen) => ({
      pane: seen.address,
      seenFrom: utcSeconds(seen.fromMs),
      seenTo: utcSeconds(seen.toMs),
    })),
    sources,
    isThereNow: end === "now",
    overBy: isOver ? utcSeconds(end.atMs) : null,
    why: isOver ? end.why : null,
  };
}
