// The history of what a reference names: a pane, an agent or a session.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { utcSeconds } from "../../base/text/utc.js";
import { isPaneAddress, type PaneAddress, paneAddress, type SessionId } from "../../names/gates.js";
import type { Stores } from "../../stores/stores.js";
import { findPaneOrAgent } from "../find-pane.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { hasIdForm, sessionNamed } from "../sessions/session-find.js";
import { type Stay, staysAt, staysBy, staysOf, staysWith } from "./history.js";
import { addPresent, historiesOf } from "./history-lives.js";

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
  const { events, forks, hookReports } = world.stores;
  const lives = historiesOf(events.read().rows, forks.scan());
  const present = addPresent(lives, fleet, hookReports.read().reports);
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
