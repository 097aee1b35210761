// What a restore does with each row of a saved team, as data: printed it is the dry run. Pure.
//
// [RS1] An agent that runs is left alone, wherever its pane stands by now, and also when it went on to another session; one
//       that runs in another team is named, never opened twice. A stranger in its pane is no such agent: it is refused.
// [RS2] A session is resumed in the folder its transcript belongs to; with `isFork` a child with an id of its own is.
// [RS3] What cannot come back is refused and named, with what to do; the rows around it count, but for RS7.
// [RS4] A pane in which something else runs is never taken: only one that is new, dead or kept open for an agent, or a
//       shell that `layout restore` made and in which nothing else runs.
// [RS5] A session that is known to have had no word yet has no transcript to resume: it begins as it began, under the
//       same id. Where nothing tells so, the transcript is missed; what it was forked from is never taken for it.
// [RS6] After everything came back there is nothing to do.
// [RS7] In a tmux session that only has the team's name, and in which a person's program stands where one of its agents
//       belongs, nobody is started before that pane is free: what is stored of that agent would be taken for the person's.
// [RS8] A session whose transcript may lie where nobody could look neither begins anew nor is missed: it is refused, with
//       that path and exit code 3. So is one that would be forked again from such a session.
// [RS9] One that the stores keep a place for does not stand in a pane that carries another's name: it gets its own.

import { shellWord } from "../base/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { isAgent } from "../fleet/role-of.js";
import { madeFor } from "../layout/made-shell.js";
import { type Place, placeOf } from "../layout/match.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import type { Layout } from "../stores/layout-text.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { typedTmux } from "../tmux/socket.js";
import { unseen } from "../transcripts/hidden.js";
import type { Transcript } from "../transcripts/transcript.js";
import { isFreePane, placeRows } from "./place-rows.js";
import { laterNames } from "./saved-roles.js";
import { plausibleTeam, type Refusal, refusal, type SavedTeam, savedAddress } from "./saved-team.js";
import type { SessionStart } from "./start.js";
import { isItsAgent, strangerHint } from "./stranger.js";

export interface RestoreFacts {
  fleet: Fleet;
  /** The folder with its links resolved; null where there is none. */
  realFolder(path: string): string | null;
  /** What S5 knows of a session. */
  recorded(uuid: SessionId): Recorded;
  newSession(): SessionId;
  /** Nothing but a shell runs in the pane. */
  isIdleShell(pane: FleetPane): boolean;
  /** What the rows and queues of a team tell. */
  stored(team: TeamName): StoredTeam;
  /** Which pane stands for which saved one, where that was settled before. */
  placed?: ReadonlyMap<Place, PaneId>;
}

export interface Recorded {
  parent: SessionId | null;
  /** A transcript of it was seen. */
  wasWritten: boolean;
}

export interface StoredTeam {
  isEmpty: boolean;
  roles: ReadonlyMap<SessionId, Role>;
  /** For whom places are kept. */
  awaited: ReadonlySet<Role>;
}

export interface TeamPlan {
  team: TeamName;
  source: string;
  /** `build` a tmux session, `complete` the one that runs, or nothing of the kind; `barred`: nothing is done at all. */
  shape: "build" | "complete" | "there" | "barred";
  layout: Layout;
  /** Saved panes that are there. */
  places: ReadonlyMap<Place, PaneId>;
  /** Panes that are none of the saved ones, although they stand for one. */
  strangers: ReadonlySet<PaneId>;
  starts: AgentStep[];
  left: LeftAlone[];
  refused: Refusal[];
}

export interface AgentStep {
  /** Where it stood when it was saved. */
  saved: PaneAddress;
  /** Null while its pane is still to be made. */
  pane: PaneId | null;
  role: Role | null;
  kind: SnapshotRow["kind"];
  session: SessionStart;
  cwd: string;
  model: string | null;
  /** What is not as it was, in words. */
  remark: string | null;
}

export interface LeftAlone {
  pane: PaneAddress;
  role: Role | null;
  /** `elsewhere`: its session is in another pane than its own; `taken`: it runs in another session. */
  is: "shell" | "running" | "elsewhere" | "taken";
  why: string;
}

export function planRestore(saved: SavedTeam, facts: RestoreFacts, isFork: boolean): TeamPlan {
  const { fleet } = facts;
  const { rows: plausible, refused, layout } = plausibleTeam(saved);
  const stored = facts.stored(saved.team);
  const rows = laterNames(plausible, stored.roles);
  const own = panesOf(fleet, saved.team);
  const sessionOf = ({ id }: FleetPane) => fleet.sessions.get(id)?.uuid ?? null;
  const byId = new Map(own.map((pane) => [pane.id, pane]));
  const madeShells = madeShellsIn(own, facts);
  const isOthers = (pane: FleetPane) => !isAgent(pane) && !isFreePane(pane) && !madeShells.has(pane.id);
  const matched = facts.placed ?? placeRows(layout, rows, own, sessionOf, madeShells);
  const strangers = othersAmong(matched, rows, byId, stored);
  const places = new Map([...matched].filter(([, id]) => !strangers.has(id)));
  const paneOf = ({ window, pane }: SnapshotRow) => byId.get(places.get(placeOf(window, pane))!) ?? null;
  const isWhole = layout.windows.every(({ window, panes }) =>
    panes.every(({ pane }) => places.has(placeOf(window, pane))),
  );
  const isAwaited = !stored.isEmpty && !isBroughtBack(own);
  const agentPanes = rows.filter(isAgent).flatMap((row) => paneOf(row) ?? []);
  const bar = isAwaited ? agentPanes.find(isOthers) : undefined;
  const plan: TeamPlan = {
    team: saved.team,
    source: saved.source,
    shape: bar ? "barred" : isWhole ? "there" : own.length === 0 ? "build" : "complete",
    layout,
    places,
    strangers,
    starts: [],
    left: [],
    refused,
  };
  for (const row of rows) {
    const isSilent = row.uuid !== null && saved.silent.has(row.uuid);
    const verdict = judge(row, paneOf(row), facts, { isFork, isSilent, isOthers });
    if ("session" in verdict && bar) refused.push(barred(row, bar, fleet));
    else if ("session" in verdict) plan.starts.push(verdict);
    else if ("hint" in verdict) refused.push(verdict);
    else plan.left.push(verdict);
  }
  return plan;
}

function madeShellsIn(own: readonly FleetPane[], { isIdleShell }: RestoreFacts): Map<PaneId, Place> {
  const made = own.filter((pane) => !isAgent(pane) && madeFor(pane) !== null && isIdleShell(pane));
  return new Map(made.map((pane) => [pane.id, madeFor(pane)!]));
}

/** Agents of another name, where one belongs that is awaited. */
function othersAmong(
  places: ReadonlyMap<Place, PaneId>,
  rows: readonly SnapshotRow[],
  byId: ReadonlyMap<PaneId, FleetPane>,
  { awaited }: StoredTeam,
): ReadonlySet<PaneId> {
  const waiting = new Map(
    rows.flatMap(({ window, pane, role }) =>
      role !== null && awaited.has(role) ? [[placeOf(window, pane), role] as const] : [],
    ),
  );
  const isAnother = (place: Place, id: PaneId) =>
    waiting.has(place) && (byId.get(id)?.mark?.role ?? waiting.get(place)) !== waiting.get(place);
  return new Set([...places].flatMap(([place, id]) => (isAnother(place, id) ? id : [])));
}

export function isNothingToDo({ shape, starts }: TeamPlan): boolean {
  return shape === "barred" || (shape === "there" && starts.length === 0);
}

export function panesOf({ panes }: Pick<Fleet, "panes">, team: TeamName): FleetPane[] {
  return panes.filter(({ sessionName }) => sessionName === team);
}

/** A tmux session in which nothing is marked only has the team's name. */
export function isBroughtBack(own: readonly FleetPane[]): boolean {
  return own.some(({ mark }) => mark !== null);
}

type Verdict = AgentStep | LeftAlone | Refusal;

type How = Opening & { isOthers(pane: FleetPane): boolean };

function judge(row: SnapshotRow, pane: FleetPane | null, facts: RestoreFacts, how: How): Verdict {
  const leave = (is: LeftAlone["is"], why: string): LeftAlone => ({
    pane: savedAddress(row),
    role: row.role,
    is,
    why,
  });
  if (!isAgent(row)) return leave("shell", row.kind);
  if (pane !== null && isAgent(pane)) {
    const uuid = facts.fleet.sessions.get(pane.id)?.uuid ?? null;
    const session = uuid ?? "no known session";
    if (uuid !== null && uuid === row.uuid)
      return leave("running", pane.address === savedAddress(row) ? "runs" : `runs in ${pane.address}`);
    if (isItsAgent(pane, row)) return leave("taken", `it runs there already, in ${session}`);
    const holder = how.isFork || row.uuid === null ? undefined : runningWith(row.uuid, facts.fleet);
    if (holder !== undefined) return leave("elsewhere", `its session runs in ${holder.address}`);
    return refusal(row, `another agent runs in ${pane.address}, in ${session}`, strangerHint(pane));
  }
  if (row.uuid === null) return refusal(row, "no session was known when it was saved", spawnHint(row));
  const holder = how.isFork ? undefined : runningWith(row.uuid, facts.fleet);
  if (holder !== undefined) return leave("elsewhere", `its session runs in ${holder.address}`);
  if (pane !== null && how.isOthers(pane)) {
    return refusal(
      row,
      `${pane.address} runs ${pane.command || "something else"}`,
      endHint(pane, facts.fleet),
    );
  }
  const started = sessionStart(row, row.uuid, facts, how);
  if ("hint" in started) return started;
  return {
    saved: savedAddress(row),
    pane: pane?.id ?? null,
    role: row.role,
    kind: row.kind,
    model: isModel(row.model) ? row.model : null,
    ...started,
    ...(row.model === "" || isModel(row.model)
      ? {}
      : { remark: `"${row.model}" is no model, so it has its own` }),
  };
}

function barred(row: SnapshotRow, bar: FleetPane, fleet: Fleet): Refusal {
  return refusal(row, `not before ${bar.address} is free`, endHint(bar, fleet));
}

function endHint({ id }: FleetPane, { server }: Fleet): string {
  const end = typedTmux(server?.choice, "kill-pane", "-t", id);
  return `end it (${end}), and restore again`;
}

/** Nothing that a client could take for an option, or for words of its own such as `<synthetic>`. */
function isModel(text: string): boolean {
  return /^[A-Za-z0-9][\w.:/@[\]-]*$/.test(text);
}

function runningWith(uuid: SessionId, { panes, sessions }: Fleet): FleetPane | undefined {
  return panes.find((pane) => isAgent(pane) && sessions.get(pane.id)?.uuid === uuid);
}

type Start = Pick<AgentStep, "session" | "cwd" | "remark">;

export interface Opening {
  isFork: boolean;
  /** It is known to have had no word yet. */
  isSilent: boolean;
}

/** How the session of a row is opened: also of a row that was made up of a pane that is there. */
export function sessionStart(
  row: SnapshotRow,
  uuid: SessionId,
  facts: RestoreFacts,
  how: Opening,
): Start | Refusal {
  const transcripts = facts.fleet.index.byId.get(uuid) ?? [];
  if (transcripts.length > 0) {
    const cwd = folderOf(row, transcripts, facts);
    if (typeof cwd !== "string") return cwd;
    const session: SessionStart = how.isFork
      ? { how: "fork", id: facts.newSession(), parent: uuid }
      : { how: "resume", id: uuid };
    return { session, cwd, remark: movedRemark(row, cwd) };
  }
  return silentStart(row, uuid, facts, how);
}

/** Of a session without a transcript: as it began, if it never wrote one. */
function silentStart(
  row: SnapshotRow,
  uuid: SessionId,
  facts: RestoreFacts,
  { isFork, isSilent }: Opening,
): Start | Refusal {
  const hidden = hiddenFrom(row, uuid, facts);
  if (hidden !== null) return hidden;
  const { parent, wasWritten } = facts.recorded(uuid);
  if (wasWritten) return refusal(row, `the transcript of ${uuid} is gone`, spawnHint(row));
  const inherited = parent === null ? [] : (facts.fleet.index.byId.get(parent) ?? []);
  if (!isSilent) {
    const why = `there is no transcript of ${uuid}, and nothing tells that it never had one`;
    return refusal(row, why, inherited.length === 0 ? spawnHint(row) : forkHint(row, parent!));
  }
  const ownId = () => (isFork ? facts.newSession() : uuid);
  if (parent !== null) {
    if (inherited.length === 0) {
      const gone = `the transcript of ${parent}, which it was forked from, is gone`;
      return hiddenFrom(row, parent, facts) ?? refusal(row, gone, spawnHint(row));
    }
    const cwd = folderOf(row, inherited, facts);
    if (typeof cwd !== "string") return cwd;
    const session: SessionStart = { how: "fork", id: ownId(), parent };
    return { session, cwd, remark: `it had no word yet: forked from ${parent} again` };
  }
  if (facts.realFolder(row.cwd) === null) return noFolder(row, row.cwd);
  const session: SessionStart = { how: "create", id: ownId() };
  return { session, cwd: row.cwd, remark: "it had no word yet, and begins anew" };
}

/** Of a session that the index does not have. */
function hiddenFrom(row: SnapshotRow, uuid: SessionId, { fleet }: RestoreFacts): Refusal | null {
  const found = unseen(`the transcript of ${uuid}`, uuid, fleet.index.problems);
  return found === null ? null : refusal(row, found.why, found.hint, found.exitCode);
}

/** The client looks for a transcript under the name of the folder it is started in, and nowhere else. */
function folderOf(
  row: SnapshotRow,
  transcripts: readonly Transcript[],
  { realFolder }: RestoreFacts,
): string | Refusal {
  const belongs = (folder: string, { path }: Transcript) => projectSlug(folder) === path.split("/").at(-2);
  const named = transcripts.flatMap((each) =>
    [row.cwd, each.facts.lastCwd, each.facts.firstCwd].flatMap((folder) =>
      folder ? [{ folder, real: realFolder(folder), each }] : [],
    ),
  );
  const own = named.filter(({ folder, real, each }) => belongs(real ?? folder, each));
  const usable = own.find(({ folder, real }) => folder === row.cwd && real !== null);
  const found = usable ?? own.find(({ real }) => real !== null);
  if (found !== undefined) return found.folder;
  return noFolder(row, own[0]?.folder ?? named[0]?.folder ?? row.cwd);
}

function noFolder(row: SnapshotRow, folder: string): Refusal {
  if (folder === "") return refusal(row, "no folder was saved for it", spawnHint(row));
  return refusal(
    row,
    `there is no folder ${folder}`,
    `make it, and restore again: mkdir -p ${shellWord(folder)}`,
  );
}

function movedRemark(row: SnapshotRow, cwd: string): string | null {
  return cwd === row.cwd ? null : `in ${cwd}, where its transcript belongs`;
}

function forkHint(row: SnapshotRow, parent: SessionId): string {
  const as = row.role === null ? "" : ` --as ${row.role}`;
  const kind = row.kind === "claude" ? "" : ` --kind ${row.kind}`;
  const command = `hivemind sessions fork ${parent} --all --into ${savedAddress(row)}${as}${kind}`;
  return `fork again what it was forked from: ${command}`;
}

function spawnHint({ role, team }: SnapshotRow): string {
  return `begin a new one: hivemind agent spawn ${role ?? "NAME"} --team ${team}`;
}
