// An agent comes back in its own pane: the same session again, or a fork of it where it ended.
//
// [RP1] A restart is the same session in the same pane with the program, model and role it had.
// [RP2] A respawn is a fork with an id chosen before, of the session that was there or one that was named; only where
//       an agent has ended.
// [RP3] What runs in the pane and is no agent is never replaced.
// [RP4] A pane whose program has ended without tmux having noticed counts as ended.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Discovery } from "../fleet/discover.js";
import { endedProgram } from "../fleet/ended-program.js";
import { findPaneIn } from "../fleet/find-pane.js";
import { refuseHeld, storedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import { isAgent } from "../fleet/role-of.js";
import { limits } from "../limits.js";
import { addressOf, addressParts, type PaneId, type SessionId, teamName } from "../names/gates.js";
import { findProcess } from "../processes/processes.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { noticeEnds } from "../tmux/program.js";
import type { StartedAgent } from "./in-turn.js";
import { refuseKept } from "./kept.js";
import { isFreePane } from "./place-rows.js";
import { factsNow, startStep } from "./restore.js";
import { type RestoreFacts, sessionStart } from "./restore-plan.js";
import { whichSession } from "./which-session.js";
import type { TeamWorld } from "./world.js";

/** Called while no other command changes the team; the refresh behind it is the caller's. */
export async function restartAgent(world: TeamWorld, pane: PaneId): Promise<StartedAgent> {
  const facts = await factsOf(world, pane);
  const row = rowOf(world, findPaneIn(facts.fleet, pane), facts.fleet);
  const session = sessionOf(world, row, facts.fleet, facts.fleet.sessions.get(pane));
  return start(world, pane, row, session, facts, { isFork: false });
}

export async function respawnAgent(world: TeamWorld, pane: PaneId, from?: SessionId): Promise<StartedAgent> {
  const facts = await factsOf(world, pane);
  const found = findPaneIn(facts.fleet, pane);
  if (isAgent(found)) {
    throw new HiveError(`an agent runs in ${found.address}`, {
      hint: `hivemind agent restart ${found.address} – or fork it: hivemind agent fork ${found.address}`,
    });
  }
  const row = rowOf(world, found, facts.fleet);
  const session = from ?? sessionOf(world, row, facts.fleet, facts.fleet.sessions.get(pane));
  return start(world, pane, row, session, facts, { isFork: true });
}

/** Panes of a running team whose agents `restartAgent` can bring back. */
export function restartable({ stores }: Pick<TeamWorld, "stores">, seen: Panes, team: string): FleetPane[] {
  const roleOf = rolesIn(seen, stores);
  return seen.panes.filter(
    (pane) => pane.sessionName === team && (isAgent(pane) || (isFreePane(pane) && roleOf(pane) !== null)),
  );
}

/** An agent that has ended leaves a dead pane, once tmux knows that it has. */
async function factsOf(world: TeamWorld, pane: PaneId): Promise<RestoreFacts> {
  const until = performance.now() + limits.endNoticedMs;
  for (;;) {
    const facts = await factsNow(world);
    const { dead, pid } = findPaneIn(facts.fleet, pane);
    if (dead || findProcess(pid) !== null || performance.now() > until) return facts;
    await noticeEnds(world.tmux);
    await rest(limits.startPollMs);
  }
}

async function start(
  world: TeamWorld,
  pane: PaneId,
  row: SnapshotRow,
  uuid: SessionId,
  facts: RestoreFacts,
  { isFork }: { isFork: boolean },
): Promise<StartedAgent> {
  const found = findPaneIn(facts.fleet, pane);
  refuseHeld(facts.fleet, row.team);
  if (!isAgent(found) && !isFreePane(found)) {
    throw new HiveError(`${found.address} runs ${harmless(found.command)}, no agent`, {
      hint: `begin one beside it: hivemind agent spawn ${row.role ?? "NAME"} --team ${row.team}`,
    });
  }
  // It was in this very pane: only S5 can know of a transcript that is gone.
  const opened = sessionStart(row, uuid, facts, { isFork, isSilent: true });
  if ("hint" in opened) {
    const { why, hint, exitCode } = opened;
    throw new HiveError(why, { exitCode, ...(hint === null ? {} : { hint }) });
  }
  const { role, kind, model } = row;
  const step = { role, kind, model: model || null, ...opened };
  return startStep(world, row.team, pane, step, { isRestart: !isFork });
}

/** The pane as a snapshot would have it; of an ended agent, what tmux was told to start tells. */
function rowOf(world: TeamWorld, pane: FleetPane, fleet: Fleet): SnapshotRow {
  const team = teamName(pane.sessionName);
  const { window, pane: index } = addressParts(pane.address);
  const role = rolesIn(fleet, world.stores)(pane);
  const uuid = fleet.sessions.get(pane.id)?.uuid ?? null;
  const cwd = pane.live?.cwd ?? (pane.cwd || pane.startPath);
  const ended = isAgent(pane) ? null : endedProgram(pane.startCommand);
  const kind = isAgent(pane) ? pane.kind : (ended?.kind ?? "claude");
  const given = pane.arguments ?? ended?.given ?? null;
  return { team, window, pane: index, role, uuid, title: "", cwd, model: given?.model ?? "", kind };
}

function sessionOf(
  { stores }: TeamWorld,
  { uuid, team, window, pane, role }: SnapshotRow,
  fleet: Fleet,
  found: Discovery | undefined,
): SessionId {
  if (uuid !== null) return uuid;
  const address = addressOf(team, window, pane);
  refuseKept(fleet, storedRows(stores), address, role);
  const question = whichSession(found, { address, role });
  if (question !== null) throw new HiveError(question.why, { hint: question.hint });
  throw new HiveError(`no session is known in ${address}`, {
    hint: `name one: hivemind agent respawn ${role ?? address} --from SESSION`,
  });
}
