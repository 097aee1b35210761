// Saves the fleet as it is now, so that it can be restored.
//
// - Every pane of a saved team has a row, shells too. Rows are keyed by pane, so two teams may have the same role.
// - A row never holds an invented value: in a title, bad characters become spaces; a bad folder is left empty and
//   reported. The client's spinner and marks are not part of a title.
// - A save without any agent or team is refused: it would be the newest snapshot, and restore nothing.
// - The model is the one in use: the one the process was started with, until another model answered. The context
//   window it was started with is kept while the model is the same.
// - An agent that ended in its pane is saved as an agent. A pane that returned to a shell is saved as a shell.
// - An agent without a conversation is saved as silent, so that its transcript will not count as missing. If a
//   transcript may be in an unreadable place, it is not saved as silent, and the save reports it.
// - For an ended agent, model and silence come from its last snapshot if nothing newer is known.
// - An unnamed pane that a killed command opened for an agent is not saved, so no shell comes back for it.

import { unmarkedTitle } from "../../agents/claude/title.js";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Discovery } from "../../fleet/identity/discover.js";
import { endedProgram } from "../../fleet/identity/ended-program.js";
import { transcriptOfPane } from "../../fleet/identity/pane-transcript.js";
import type { Fleet } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import { roleOf } from "../../fleet/resolve.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { standingIn } from "../../fleet/roster/roster.js";
import { foreignTeams } from "../../fleet/roster/settle.js";
import { runningHint } from "../../fleet/which-team.js";
import { layoutOf } from "../../layout/layout-of.js";
import {
  addressOf,
  isField,
  isTeamName,
  type Role,
  rules,
  type SessionId,
  type TeamName,
} from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import type { Stores } from "../../stores/stores.js";
import type { TeamRow } from "../../stores/teams.js";
import { type SnapshotRow, savedRole, savedText } from "../../stores/text/snapshot-text.js";
import { byPlace } from "../../tmux/listing.js";
import { unseen } from "../../transcripts/unreadable.js";
import { leftPanes } from "../spare-panes.js";
import { whichSession } from "../start/which-session.js";
import { readSnapshots } from "./newest.js";
import { type BeforeOf, savedBefore } from "./saved-before.js";

export interface SaveChoice {
  /** Only these; each must run. */
  teams?: readonly TeamName[];
  /** Every tmux session, also one without agents that is not a team. */
  all?: boolean;
}

export interface SavedFleet {
  rows: SnapshotRow[];
  silent: Set<SessionId>;
  /** What will not come back as it is, for people. */
  problems: string[];
}

export interface Saved extends SavedFleet {
  path: string;
  layouts: string[];
}

/**
 * Default choice: the registered teams, and every other tmux session with an agent. `before` returns the last saved
 * state of an agent that has ended.
 */
export function snapshotOf(
  fleet: Fleet,
  registered: readonly TeamRow[],
  choice: SaveChoice = {},
  before: BeforeOf = () => null,
): SavedFleet {
  const { chosen, problems } = choose(fleet, registered, choice);
  const rows = chosen.flatMap((team) =>
    standing(fleet, team)
      .sort(byPlace)
      .map((pane) => savedPane(team, pane, { fleet, problems, before })),
  );
  const silent = silentIn(rows, fleet, problems, before);
  return { rows, silent, problems: [...problems, ...doubles(rows)] };
}

/** Writes S4, then the layout of each team. */
export async function saveFleet(
  stores: Stores,
  fleet: Fleet,
  choice: SaveChoice & { isAutosave?: boolean } = {},
): Promise<Saved> {
  const registered = stores.teams.read().rows;
  const before = savedBefore(readSnapshots(stores.snapshots, () => {}));
  const { rows, silent, problems } = snapshotOf(fleet, registered, choice, before);
  const worthwhile = choice.all === true ? snapshotOf(fleet, registered).rows : rows;
  if (worthwhile.length === 0) {
    const hint = problems[0] ?? "see what runs: hivemind status";
    throw new HiveError("nothing to save: no team and no agent is running", { hint });
  }
  const teams = new Set(rows.map(({ team }) => team));
  const path = await stores.snapshots.create(rows, { isAutosave: choice.isAutosave ?? false, silent });
  const layouts: string[] = [];
  for (const team of teams) layouts.push(await stores.layouts.write(layoutOf(standing(fleet, team), team)!));
  return { path, layouts, rows, silent, problems };
}

function standing(fleet: Fleet, team: TeamName): FleetPane[] {
  const left = new Set(leftPanes(fleet, team));
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
  const renamed = new Map<string, string>(fleet.roster.renamed.map(({ from, to }) => [from, to]));
  const names = new Set<string>(registered.map(({ team }) => renamed.get(team) ?? team));
  for (const pane of fleet.panes) if (all || isAgent(pane)) names.add(pane.sessionName);
  const wanted = running.filter((name) => (teams ?? [...names]).some((team) => team === name)).sort();
  const problems = wanted
    .filter((name) => !isTeamName(name))
    .map((name) => `${harmless(name)} is not saved: ${rules.team} (tmux rename-session)`);
  const foreign = foreignTeams(fleet.roster.agents, (agent) => standingIn(fleet.roster, agent));
  for (const name of wanted.filter((each) => foreign.has(each)))
    problems.push(`${name} is not saved: that team runs on another tmux server`);
  return { chosen: wanted.filter(isTeamName).filter((name) => !foreign.has(name)), problems };
}

/** Agents that crashed and whose save would lose something: no session, or one without a conversation. */
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

function savedPane(team: TeamName, pane: FleetPane, { fleet, problems, before }: Saving): SnapshotRow {
  const role = roleOf(pane);
  const kind = savedKind(pane, role);
  const isSession = isAgent({ kind });
  const uuid = isSession ? (fleet.sessions.get(pane.id)?.uuid ?? null) : null;
  const folder = pane.live?.cwd || pane.cwd || pane.startPath;
  if (isSession && uuid === null) {
    const question = whichSession(fleet.sessions.get(pane.id), { address: pane.address, role });
    const why = question === null ? "its session is unknown" : `${question.why} (${question.hint})`;
    problems.push(`${pane.address}${role === null ? "" : ` (${role})`}: ${why}`);
  }
  if (!isField(folder)) problems.push(`${pane.address}: its folder cannot be saved: ${harmless(folder)}`);
  return {
    agent: pane.agent?.id ?? null,
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

function savedKind(pane: FleetPane, role: Role | null): Kind {
  if (!pane.dead || role === null) return pane.kind;
  // A pane with a role ran some agent.
  return endedProgram(pane.startCommand)?.kind ?? "claude";
}

/**
 * Transcripts have no short model names, and those of older clients no `[1m]`: the given name counts while it fits.
 */
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

/** The given name may be short, `opus` for `claude-opus-4-1`, or end in a date or a window. */
function isSameModel(inUse: string, asked: string): boolean {
  return inUse.replace(/\[.*$/, "").includes(asked.replace(/\[.*$/, "").replace(/-\d{8}$/, ""));
}

/** Only for an agent that runs or was saved as silent: an ended agent may have had a transcript that is gone. */
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
    const found = unseen(`whether ${uuid} has a conversation`, uuid, index.problems);
    if (found === null) continue;
    unspoken.delete(uuid);
    problems.push(found.why);
  }
  return unspoken;
}

/** If only the cache names the session of a running agent, the agent may be in another one. */
function isToldByClient(found: Discovery | undefined): boolean {
  return found?.evidence.some(({ chosen, source }) => chosen && source !== "cache") ?? false;
}

function doubles(rows: readonly SnapshotRow[]): string[] {
  const places = new Map<string, string[]>();
  for (const { uuid, team, window, pane } of rows) {
    if (uuid !== null) places.set(uuid, [...(places.get(uuid) ?? []), `${team}:${window}.${pane}`]);
  }
  const several = [...places].filter(([, panes]) => panes.length > 1);
  return several.map(([uuid, panes]) => `${panes.join(" and ")} have the same session, ${uuid}`);
}
