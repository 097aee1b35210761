// One look of the watcher: what runs, and what the stores have of it.

import { planRefresh } from "../fleet/roster/refresh.js";
import { wishesOf } from "../layout/apply-sizes.js";
import { tooSmall } from "../layout/sizes.js";
import { needNoIdle } from "../messages/need-no-idle.js";
import { lostIn, snapshotOf } from "../teams/snapshot/save.js";
import { launchesIn } from "../up/launch.js";
import { unwritten } from "./behind.js";
import type { Look } from "./decide.js";
import type { NewEvents } from "./new-events.js";
import type { openRecorded } from "./recorded.js";
import type { openSaves } from "./saves.js";
import type { WatchWorld } from "./world.js";

/** What a look is made of. */
export interface Sources {
  world: WatchWorld;
  recorded: ReturnType<typeof openRecorded>;
  saves: ReturnType<typeof openSaves>;
  events: NewEvents;
  /** A monotonic clock: the clock of the day may be set back. */
  now(): number;
}

export async function lookAtFleet({ world, recorded, saves, events, now }: Sources): Promise<Look> {
  const { stores } = world;
  const teams = stores.teams.read().rows;
  const registered = teams.map(({ team }) => team);
  const changingBefore = world.changing(registered);
  const fleet = await world.observe();
  const screens = await world.screens(fleet);
  const said = recorded();
  const nowMs = Date.now();
  const options = { nowMs, hostName: world.hostName };
  const { found, forkRows, usedUp } = planRefresh(fleet, { teams, recordedParent: said.parentOf }, options);
  const saved = saves.newest();
  const saving = snapshotOf(fleet, teams, {}, saves.before);
  const { queues } = stores;
  const queued = queues.agents().filter((agent) => queues.read(agent).messages.length > 0);
  return {
    nowMs: now(),
    clockMs: nowMs,
    fleet,
    screens,
    // Also the teams whose change began or ended during the look: it may show half of that change.
    changing: new Set([...changingBefore, ...world.changing(registered)]),
    unwritten: unwritten(fleet, found, stores, nowMs),
    newRows: forkRows.filter((row) => !said.has(row)),
    usedUp,
    launches: launchesIn(stores),
    registered,
    isCutOff: world.isCutOff?.() ?? false,
    queued,
    handed: queued.length === 0 ? [] : needNoIdle(stores, fleet, queued),
    isTooSmall: tooSmall(fleet, wishesOf(stores)).length > 0,
    rows: saving.rows,
    lost: lostIn(saving, fleet),
    saved,
    // Last: these events are not read again.
    events: events.read(),
  };
}
