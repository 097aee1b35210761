// What a restore does with each row of a saved team, as data; the dry run prints it. Pure.
//
// [RS1] A running agent is left alone, wherever its pane is now, also if it went on to another session. An agent
//       that runs in another team is reported and never opened twice. If a stranger runs in its pane, the row is
//       refused.
// [RS3] A row that cannot come back is refused with a reason and a hint. The other rows still count.
// [RS4] A pane with another program in it is never taken. Only a new pane, a dead pane, a pane kept open for an
//       agent, or an idle shell that `layout restore` made is taken.
// [RS6] A second restore after a complete one does nothing.
// [RS9] A pane of another agent of the roster is not taken: the row gets its own pane.

import { paneOfSession } from "../../fleet/find-pane.js";
import type { Fleet } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { runsElsewhere, standingIn } from "../../fleet/roster/roster.js";
import { madeFor, type Place, placeOf } from "../../layout/match.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../../names/gates.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import { typedTmux } from "../../tmux/socket.js";
import type { SessionStart } from "../start/start.js";
import { agentOfRow, type Opening, sessionStart, spawnHint } from "./open-session.js";
import { isFreePane, placeRows } from "./place-rows.js";
import { laterNames } from "./saved-roles.js";
import { plausibleTeam, type Refusal, refusal, type SavedTeam, savedAddress } from "./saved-team.js";
import { isItsAgent, strangerHint } from "./stranger.js";

export interface RestoreFacts {
  fleet: Fleet;
  /** The folder with its links resolved; null if there is none. */
  realFolder(path: string): string | null;
  /** What S5 knows of a session. */
  recorded(uuid: SessionId): Recorded;
  newSession(): SessionId;
  /** Whether only a shell runs in the pane. */
  isIdleShell(pane: FleetPane): boolean;
  /** Which pane is which saved one, if that was decided before. */
  placed?: ReadonlyMap<Place, PaneId>;
}

export interface Recorded {
  parent: SessionId | null;
  /** A transcript of it was seen. */
  wasWritten: boolean;
}

export interface TeamPlan {
  team: TeamName;
  source: string;
  /** `build` a tmux session, `complete` the running one, or neither. */
  shape: "build" | "complete" | "there";
  layout: Layout;
  /** The saved panes that exist. */
  places: ReadonlyMap<Place, PaneId>;
  /** Panes that matched a saved one but belong to another agent. */
  strangers: ReadonlySet<PaneId>;
  starts: AgentStep[];
  left: LeftAlone[];
  refused: Refusal[];
}

export interface AgentStep {
  /** Its address when it was saved. */
  saved: PaneAddress;
  /** Null until its pane is made. */
  pane: PaneId | null;
  /** The agent of the roster that comes back; null if a new one starts. */
  agent: AgentId | null;
  role: Role | null;
  kind: SnapshotRow["kind"];
  session: SessionStart;
  cwd: string;
  model: string | null;
  /** What differs from the saved state, for people. */
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
  const agents = fleet.roster.agents.filter((agent) => agent.team === saved.team);
  const rows = laterNames(plausible, agents);
  const own = panesOf(fleet, saved.team);
  const sessionOf = ({ id }: FleetPane) => fleet.sessions.get(id)?.uuid ?? null;
  const byId = new Map(own.map((pane) => [pane.id, pane]));
  const madeShells = madeShellsIn(own, facts);
  const isOthers = (pane: FleetPane) => !isAgent(pane) && !isFreePane(pane) && !madeShells.has(pane.id);
  const matched = facts.placed ?? placeRows(layout, rows, own, sessionOf, madeShells);
  const strangers = othersAmong(matched, rows, byId, fleet);
  const places = new Map([...matched].filter(([, id]) => !strangers.has(id)));
  const paneOf = ({ window, pane }: SnapshotRow) => byId.get(places.get(placeOf(window, pane))!) ?? null;
  const isWhole = layout.windows.every(({ window, panes }) =>
    panes.every(({ pane }) => places.has(placeOf(window, pane))),
  );
  const isElsewhere = runsElsewhere(fleet.roster, saved.team);
  const plan: TeamPlan = {
    team: saved.team,
    source: saved.source,
    shape: isWhole || isElsewhere ? "there" : own.length === 0 ? "build" : "complete",
    layout,
    places,
    strangers,
    starts: [],
    left: [],
    refused,
  };
  for (const row of rows) {
    const isSilent = row.uuid !== null && saved.silent.has(row.uuid);
    const verdict = isElsewhere
      ? leftElsewhere(row)
      : judge(row, paneOf(row), facts, { isFork, isSilent, isOthers });
    if ("session" in verdict) plan.starts.push(verdict);
    else if ("hint" in verdict) refused.push(verdict);
    else plan.left.push(verdict);
  }
  return plan;
}

function leftElsewhere(row: SnapshotRow): LeftAlone {
  const why = "its team runs on another tmux server";
  return { pane: savedAddress(row), role: row.role, is: "elsewhere", why };
}

function madeShellsIn(own: readonly FleetPane[], { isIdleShell }: RestoreFacts): Map<PaneId, Place> {
  const made = own.filter((pane) => !isAgent(pane) && madeFor(pane) !== null && isIdleShell(pane));
  return new Map(made.map((pane) => [pane.id, madeFor(pane)!]));
}

/** Panes that have another agent of the roster than the row's. */
function othersAmong(
  places: ReadonlyMap<Place, PaneId>,
  rows: readonly SnapshotRow[],
  byId: ReadonlyMap<PaneId, FleetPane>,
  fleet: Fleet,
): ReadonlySet<PaneId> {
  const others = rows.filter(isAgent).flatMap((row) => {
    const id = places.get(placeOf(row.window, row.pane));
    const sitter = id === undefined ? null : (byId.get(id)?.agent ?? null);
    if (sitter === null || sitter.role === null || row.role === null) return [];
    return sitter.id === agentOfRow(fleet, row)?.id || sitter.role === row.role ? [] : [id!];
  });
  return new Set(others);
}

export function isNothingToDo({ shape, starts }: TeamPlan): boolean {
  return shape === "there" && starts.length === 0;
}

export function panesOf({ panes }: Pick<Fleet, "panes">, team: TeamName): FleetPane[] {
  return panes.filter(({ sessionName }) => sessionName === team);
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
  const agent = how.isFork ? null : agentOfRow(facts.fleet, row);
  if (agent !== null && standingIn(facts.fleet.roster, agent) === "elsewhere")
    return leave("elsewhere", `it runs on another tmux server, in ${agent.address ?? agent.seat!.pane}`);
  if (pane !== null && isAgent(pane)) {
    const uuid = facts.fleet.sessions.get(pane.id)?.uuid ?? null;
    const session = uuid ?? "no known session";
    if (uuid !== null && uuid === row.uuid)
      return leave("running", pane.address === savedAddress(row) ? "runs" : `runs in ${pane.address}`);
    if (isItsAgent(pane, row)) return leave("taken", `it already runs there, in ${session}`);
    const holder = how.isFork || row.uuid === null ? undefined : paneOfSession(facts.fleet, row.uuid);
    if (holder !== undefined) return leave("elsewhere", `its session runs in ${holder.address}`);
    return refusal(row, `another agent runs in ${pane.address}, in ${session}`, strangerHint(pane));
  }
  if (row.uuid === null) return refusal(row, "no session was known when it was saved", spawnHint(row, facts));
  const holder = how.isFork ? undefined : paneOfSession(facts.fleet, row.uuid);
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
    agent: agent?.id ?? null,
    role: row.role,
    kind: row.kind,
    model: isModel(row.model) ? row.model : null,
    ...started,
    ...(row.model === "" || isModel(row.model)
      ? {}
      : { remark: `"${row.model}" is not a model, so the client's default is used` }),
  };
}

function endHint({ id }: FleetPane, { server }: Fleet): string {
  const end = typedTmux(server?.choice, "kill-pane", "-t", id);
  return `end it (${end}), then restore again`;
}

/** Nothing that a client could read as an option, or as a word of its own such as `<synthetic>`. */
function isModel(text: string): boolean {
  return /^[A-Za-z0-9][\w.:/@[\]-]*$/.test(text);
}
