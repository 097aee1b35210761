// Brings an agent back, in its own pane or in a new one if its pane is gone: the same session, or a fork of it.
//
// - A restart opens the same session with the same program, model, tools and role.
// - A respawn is a fork of its last session, or of a session that is given. It works only if the agent has ended.
// - A program in the pane that is no agent is never replaced.
// - An away agent gets a new pane in its team, in a new tmux session if the team does not run. If the start fails,
//   that pane is closed again.
// - A pane whose program has ended counts as ended, even before tmux notices.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import type { SessionArguments } from "../agents/launch.js";
import { HiveError } from "../base/errors.js";
import { findProcess } from "../base/system/processes.js";
import { harmless } from "../base/text/escape-terminal.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Discovery } from "../fleet/identity/discover.js";
import { endedProgram } from "../fleet/identity/ended-program.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { isAgent } from "../fleet/roster/role-of.js";
import { limits } from "../limits.js";
import { addressOf, addressParts, type PaneId, type SessionId, teamName } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import { noticeEnds } from "../tmux/program.js";
import { readSnapshots } from "./snapshot/newest.js";
import { sessionStart } from "./snapshot/open-session.js";
import { isFreePane } from "./snapshot/place-rows.js";
import { factsNow, startStep } from "./snapshot/restore.js";
import { panesOf, type RestoreFacts } from "./snapshot/restore-plan.js";
import { placeholderFor } from "./spare-panes.js";
import { closePane, openPaneIn } from "./spawn.js";
import type { StartedAgent } from "./start/in-turn.js";
import { StartFailure } from "./start/start-failure.js";
import { whichSession } from "./start/which-session.js";
import type { TeamWorld } from "./world.js";

/** The caller holds the team, and refreshes it afterwards. */
export async function restartAgent(world: TeamWorld, pane: PaneId): Promise<StartedAgent> {
  const facts = await factsOf(world, pane);
  const row = rowOf(findPaneIn(facts.fleet, pane), facts.fleet);
  const session = sessionOf(row, facts.fleet.sessions.get(pane));
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
  const row = rowOf(found, facts.fleet);
  const session = from ?? sessionOf(row, facts.fleet.sessions.get(pane));
  return start(world, pane, row, session, facts, { isFork: true });
}

/** Opens a pane for an away agent. `from` is the session to fork instead of its own. */
export async function restartAway(
  world: TeamWorld,
  agent: AgentRow,
  how: { isFork: boolean; from?: SessionId; cwd?: string },
): Promise<StartedAgent> {
  const facts = await factsNow(world);
  const { id, team, role, session, address } = agent;
  const { window, pane } = address === null ? { window: 0, pane: 0 } : addressParts(address);
  const kind = agentOfKind(agent.kind as Kind) === null ? "claude" : (agent.kind as Kind);
  const saved = lastSaved(world, agent);
  const launched = world.stores.launches.read().rows.find((each) => each.agent === id);
  const cwd = how.cwd ?? launched?.cwd ?? saved?.cwd ?? "";
  const model = saved?.model ?? "";
  const row = { team, window, pane, role, uuid: session, title: "", cwd, model, kind, agent: id };
  const uuid = how.from ?? sessionOf(row, undefined);
  if (cwd === "" && !facts.fleet.index.byId.has(uuid) && facts.recorded(uuid).parent === null)
    throw new HiveError(`the folder of ${role ?? `@${id}`} is unknown`, {
      hint: `pass it: hivemind agent restart @${id} --cwd FOLDER`,
    });
  const opened = openedSession(row, uuid, facts, how.isFork);
  const own = panesOf(facts.fleet, team);
  const place = await openPaneIn(world, team, own, { argv: placeholderFor(role), cwd: opened.cwd });
  try {
    const step = { role, kind, model: model || null, agent: id, ...opened };
    return await startStep(world, team, place, step, { isRestart: false });
  } catch (error) {
    if (!(error instanceof StartFailure && error.isRunning)) await closePane(world, place);
    throw error;
  }
}

/** Its row in the newest snapshot that has it. */
function lastSaved({ stores }: TeamWorld, { id, session }: AgentRow): SnapshotRow | null {
  const isIts = ({ agent, uuid }: SnapshotRow) => agent === id || (uuid !== null && uuid === session);
  for (const { rows } of readSnapshots(stores.snapshots, () => {})) {
    const row = rows.find((each) => isIts({ ...each, kind: each.kind ?? "claude" }));
    if (row !== undefined) return { ...row, kind: row.kind ?? "claude" };
  }
  return null;
}

/** Panes of a running team whose agents `restartAgent` can restart. */
export function restartable(seen: Pick<Panes, "panes">, team: string): FleetPane[] {
  return seen.panes.filter(
    (pane) => pane.sessionName === team && (isAgent(pane) || (isFreePane(pane) && pane.agent !== null)),
  );
}

/** Waits until tmux has noticed that the agent ended: only then is its pane dead. */
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
  if (!isAgent(found) && !isFreePane(found)) {
    throw new HiveError(`${found.address} runs ${harmless(found.command)}, which is no agent`, {
      hint: `start one beside it: hivemind agent spawn ${row.role ?? "NAME"} --team ${row.team}`,
    });
  }
  const opened = openedSession(row, uuid, facts, isFork);
  const { role, kind, model, agent } = row;
  const given = givenTo(found);
  const tools = given === null ? {} : { hasTools: given.hasTools === true };
  const step = { role, kind, model: model || null, agent, ...tools, ...opened };
  return startStep(world, row.team, pane, step, { isRestart: !isFork });
}

/** The session was this agent's own, so only S5 can know of a transcript that is gone. */
function openedSession(row: SnapshotRow, uuid: SessionId, facts: RestoreFacts, isFork: boolean) {
  const opened = sessionStart(row, uuid, facts, { isFork, isSilent: true });
  if (!("hint" in opened)) return opened;
  const { why, hint, exitCode } = opened;
  throw new HiveError(why, { exitCode, ...(hint === null ? {} : { hint }) });
}

/** The pane as a snapshot row. For an ended agent, the command that tmux started shows its kind and model. */
function rowOf(pane: FleetPane, fleet: Fleet): SnapshotRow {
  const team = teamName(pane.sessionName);
  const { window, pane: index } = addressParts(pane.address);
  const role = roleOf(pane);
  const agent = pane.agent?.id ?? null;
  const uuid = fleet.sessions.get(pane.id)?.uuid ?? null;
  const cwd = pane.live?.cwd ?? (pane.cwd || pane.startPath);
  const ended = isAgent(pane) ? null : endedProgram(pane.startCommand);
  const kind = isAgent(pane) ? pane.kind : (ended?.kind ?? "claude");
  const given = givenTo(pane);
  return { team, window, pane: index, role, uuid, title: "", cwd, model: given?.model ?? "", kind, agent };
}

/** What the agent was started with, or the ended one. */
function givenTo(pane: FleetPane): SessionArguments | null {
  if (pane.arguments !== null) return pane.arguments;
  return isAgent(pane) ? null : (endedProgram(pane.startCommand)?.given ?? null);
}

function sessionOf({ uuid, team, window, pane, role }: SnapshotRow, found: Discovery | undefined): SessionId {
  if (uuid !== null) return uuid;
  const address = addressOf(team, window, pane);
  const question = whichSession(found, { address, role });
  if (question !== null) throw new HiveError(question.why, { hint: question.hint });
  throw new HiveError(`the session of ${address} is unknown`, {
    hint: `pass one: hivemind agent respawn ${role ?? address} --from SESSION`,
  });
}
