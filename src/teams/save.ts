// The fleet as it is now, written down so that it can come back.
//
// [SA1] Every pane of a saved team has a row, shells too; rows are keyed by pane, so one role may be in two teams.
// [SA2] What a row cannot hold is not forged: a title gets spaces, a folder is left empty and said. The client's spinner
//       and marks are no part of a title.
// [SA3] A save without any agent or team is refused: it would be the newest, and bring nothing back.
// [SA4] The model is the one in use: what the process was started with, until an answer of another model came. The
//       window it was started with is kept as long as the model is the same.
// [SA5] An agent that ended in its pane is saved as an agent; a shell that somebody went back to is a shell.
// [SA6] Of an agent that has not said a word that is written down too: no transcript of it will be missed. Where one may
//       lie that nobody could look at, nothing of the kind is written, and that is said. Of one that has ended, model and
//       silence are as they were saved last, where nothing newer tells.
// [SA7] A pane that a killed command opened for an agent, and that has no name, is not saved: no shell comes back for it.

import { unmarkedTitle } from "../agents/claude/title.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Discovery } from "../fleet/discover.js";
import { endedProgram } from "../fleet/ended-program.js";
import { type Keyed, keyedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import { transcriptOfPane } from "../fleet/pane-transcript.js";
import type { FleetPane } from "../fleet/panes.js";
import { shownRoles } from "../fleet/resolve.js";
import { isAgent } from "../fleet/role-of.js";
import { runningHint } from "../fleet/which-team.js";
import { layoutOf } from "../layout/layout-of.js";
import {
  addressOf,
  isField,
  isTeamName,
  type Role,
  rules,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import { type SavedKind, type SnapshotRow, savedRole, savedText } from "../stores/snapshot-text.js";
import type { Stores } from "../stores/stores.js";
import type { TeamRow } from "../stores/teams.js";
import { byPlace } from "../tmux/listing.js";
import { unseen } from "../transcripts/hidden.js";
import { readSnapshots } from "./newest.js";
import { type BeforeOf, savedBefore } from "./saved-before.js";
import { leftPanes } from "./spare-panes.js";
import { whichSession } from "./which-session.js";

export interface SaveChoice {
  /** Only these, each of which must run. */
  teams?: readonly TeamName[];
  /** Every tmux session, also one without agents that is no team. */
  all?: boolean;
}

export interface SavedFleet {
  rows: SnapshotRow[];
  silent: Set<SessionId>;
  /** What will not come back as it is, in words for a person. */
  problems: string[];
}

export interface Saved extends SavedFleet {
  path: string;
  layouts: string[];
}

/**
 * Without a choice: the registered teams, and every other tmux session that runs an agent. `before` tells what was saved
 * last of an agent that has ended.
 */
export function snapshotOf(
  fleet: Fleet,
  stored: Keyed,
  choice: SaveChoice = {},
  before: BeforeOf = () => null,
): SavedFleet {
  const roleOf = shownRoles(fleet, stored);
  const { chosen, problems } = choose(fleet, stored.teams, choice);
  const rows = chosen.flatMap((team) => {
    const panes = standing(fleet, stored, team);
    return panes
      .sort(byPlace)
      .map((pane) => savedPane(team, pane, roleOf(pane), { fleet, problems, before }));
  });
  const silent = silentIn(rows, fleet, problems, before);
  return { rows, silent, problems: [...problems, ...doubles(rows)] };
}

/** S4, then the layout of each team. */
export async function saveFleet(
  stores: Stores,
  fleet: Fleet,
  choice: SaveChoice & { isAutosave?: boolean } = {},
): Promise<Saved> {
  const stored = keyedRows(stores);
  const before = savedBefore(readSnapshots(stores.snapshots, () => {}));
  const { rows, silent, problems } = snapshotOf(fleet, stored, choice, before);
  const worthwhile = choice.all === true ? snapshotOf(fleet, stored).rows : rows;
  if (worthwhile.length === 0) {
    const hint = problems[0] ?? "see what runs: hivemind status";
    throw new HiveError("nothing to save: no team and no agent is running", { hint });
  }
  const teams = new Set(rows.map(({ team }) => team));
  const path = await stores.snapshots.create(rows, { isAutosave: choice.isAutosave ?? false, silent });
  const layouts: string[] = [];
  for (const team of teams)
    layouts.push(await stores.layouts.write(layoutOf(standing(fleet, stored, team), team)!));
  return { path, layouts, rows, silent, problems };
}

function standing(fleet: Fleet, stored: Keyed, team: TeamName): FleetPane[] {
  const left = new Set(leftPanes(fleet, stored, team, []));
  return fleet.panes.filter((pane) => pane.sessionName === team && !left.has(pane));
}

function choose(fleet: Fleet, registered: readonly TeamRow[], { teams, all = false }: SaveChoice) {
  const running = [...new Set(fleet.panes.map(({ sessionName }) => sessionName))];
  const missing = teams?.find((team) => !running.includes(team));
  if (missing !== undefined) {
    throw new HiveError(`no team "${missing}" is running`, {
      hint: runningHint(running),
    });
  }
  const renamed = new Map<string, string>(fleet.shifts.renamedTeams.map(({ from, to }) => [from, to]));
  const names = new Set<string>(registered.map(({ team }) => renamed.get(team) ?? team));
  for (const pane of fleet.panes) if (all || isAgent(pane)) names.add(pane.sessionName);
  const wanted = running.filter((name) => (teams ?? [...names]).some((team) => team === name)).sort();
  const problems = wanted
    .filter((name) => !isTeamName(name))
    .map((name) => `${harmless(name)} is not saved: ${rules.team} (tmux rename-session)`);
  const { borrowed } = fleet.shifts;
  const isBorrowed = (name: TeamName) => borrowed.has(name);
  const chosen = wanted.filter(isTeamName);
  problems.push(
    ...chosen
      .filter(isBorrowed)
      .map((name) => `${name} is not saved: panes of another team stand there (hivemind registry refresh)`),
  );
  return { chosen: chosen.filter((name) => !isBorrowed(name)), problems };
}

/** Agents that ended unasked, and of whom a save would keep less than there was: no session, or one without a word. */
export function lostIn({ rows, silent }: SavedFleet, { panes, index }: Fleet): SnapshotRow[] {
  const crashed = new Set<string>(
    panes.flatMap(({ dead, deadStatus, address }) => (dead && deadStatus !== 0 ? address : [])),
  );
  return rows.filter((row) => {
    if (!isAgent(row) || !crashed.has(addressOf(row.team, row.window, row.pane))) return false;
    return row.uuid === null || (!index.byId.has(row.uuid) && !silent.has(row.uuid));
  });
}

interface Saving {
  fleet: Fleet;
  problems: string[];
  before: BeforeOf;
}

function savedPane(
  team: TeamName,
  pane: FleetPane,
  role: Role | null,
  { fleet, problems, before }: Saving,
): SnapshotRow {
  const kind = savedKind(pane, role);
  const isSession = isAgent({ kind });
  const uuid = isSession ? (fleet.sessions.get(pane.id)?.uuid ?? null) : null;
  const folder = pane.live?.cwd || pane.cwd || pane.startPath;
  if (isSession && uuid === null) {
    const question = whichSession(fleet.sessions.get(pane.id), { address: pane.address, role });
    const why =
      question === null ? "which session it has is not known" : `${question.why} (${question.hint})`;
    problems.push(`${pane.address}${role === null ? "" : ` (${role})`}: ${why}`);
  }
  if (!isField(folder)) problems.push(`${pane.address}: its folder cannot be saved: ${harmless(folder)}`);
  return {
    team,
    window: pane.windowIndex,
    pane: pane.paneIndex,
    role: savedRole(role),
    uuid,
    title: savedText(unmarkedTitle(pane.title)),
    cwd: isField(folder) ? folder : "",
    model: isSession ? savedText(modelOf(pane, uuid, fleet, before) ?? "") : "",
    kind,
  };
}

function savedKind(pane: FleetPane, role: Role | null): SavedKind {
  if (!pane.dead || role === null) return pane.kind;
  // A pane that carries a role ran some agent.
  return endedProgram(pane.startCommand)?.kind ?? "claude";
}

/** The transcript knows no short name, and of older clients no `[1m]`: what was asked for stands as long as it fits. */
export function modelOf(
  pane: FleetPane,
  uuid: SnapshotRow["uuid"],
  fleet: Fleet,
  before: BeforeOf = () => null,
): string | null {
  const given = (pane.arguments ?? endedProgram(pane.startCommand)?.given)?.model ?? null;
  const hook = fleet.hooks.claims.get(pane.id) ?? null;
  const saved = pane.dead && uuid !== null ? before(uuid)?.model : null;
  const asked = hook?.model ?? given ?? (saved || null);
  const facts = uuid === null ? undefined : transcriptOfPane(fleet.index, uuid, pane, hook)?.facts;
  const answered = facts?.askedModel ?? facts?.model ?? null;
  const isSince = (facts?.usedAtMs ?? 0) > (pane.process?.startedAtMs ?? 0);
  const isChanged = answered !== null && asked !== null && isSince && !isSameModel(answered, asked);
  const model = isChanged ? answered : (asked ?? answered);
  if (model === null || given === null || /\[.*\]$/.test(model) || !isSameModel(model, given)) return model;
  return `${model}${/\[.*\]$/.exec(given)?.[0] ?? ""}`;
}

/** What was asked for may be a short name, `opus` for `claude-opus-4-1`, or have a date and a window behind it. */
function isSameModel(inUse: string, asked: string): boolean {
  return inUse.replace(/\[.*$/, "").includes(asked.replace(/\[.*$/, "").replace(/-\d{8}$/, ""));
}

/** Of one that runs, or was saved so: a transcript that an ended one is without may have been there and be gone. */
function silentIn(
  rows: readonly SnapshotRow[],
  { panes, sessions, index }: Fleet,
  problems: string[],
  before: BeforeOf,
): Set<SessionId> {
  const running = panes.filter(({ process }) => process !== null).map(({ id }) => sessions.get(id));
  const ended = panes.filter(({ dead }) => dead).flatMap(({ id }) => sessions.get(id)?.uuid ?? []);
  const named = [
    ...running.flatMap((found) => (isToldByClient(found) ? (found?.uuid ?? []) : [])),
    ...ended.filter((uuid) => before(uuid)?.isSilent === true),
  ];
  const saved = new Set(rows.map(({ uuid }) => uuid));
  const unspoken = new Set(named.filter((uuid) => saved.has(uuid) && !index.byId.has(uuid)));
  for (const uuid of unspoken) {
    const found = unseen(`whether anything was said in ${uuid}`, uuid, index.problems);
    if (found === null) continue;
    unspoken.delete(uuid);
    problems.push(found.why);
  }
  return unspoken;
}

/** What only the cache says of a running agent need not be the session it is in. */
function isToldByClient(found: Discovery | undefined): boolean {
  return found?.evidence.some(({ chosen, source }) => chosen && source !== "cache") ?? false;
}

function doubles(rows: readonly SnapshotRow[]): string[] {
  const places = new Map<string, string[]>();
  for (const { uuid, team, window, pane } of rows) {
    if (uuid !== null) places.set(uuid, [...(places.get(uuid) ?? []), `${team}:${window}.${pane}`]);
  }
  const several = [...places].filter(([, panes]) => panes.length > 1);
  return several.map(([uuid, panes]) => `${panes.join(" and ")} have one session, ${uuid}`);
}
