// What an audit must find: from what is live, from the files, and from what was done.

import { join } from "node:path";
import { isTeamName } from "../../src/names/gates.js";
import type { Known, Memory } from "./memory.js";
import { rowsOf, snapshotsOf, strangeQueues, teamOf } from "./rows.js";
import { type Listed, readText, type Stage } from "./stage.js";

/** `I8 add S1 red:0.1`: the invariant, the repair, the store, and the row. */
export type Expected = string;

/** The rows of S1 and S2. */
export interface Rows {
  roles: ReadonlyMap<string, string>;
  sessions: ReadonlyMap<string, string>;
}

export function rowsNow(stage: Stage): Rows {
  return {
    roles: new Map(rowsOf("S1", stage.read("S1")).map(([pane, role]) => [pane!, role!])),
    sessions: new Map(rowsOf("S2", stage.read("S2")).map(([pane, uuid]) => [pane!, uuid!.toLowerCase()])),
  };
}

/** Violations that are not about the rows of agents. */
export function expectedBesides(stage: Stage, memory: Memory): Expected[] {
  const panes = memory.now();
  const facts = { stage, panes, memory, registered: registeredNow(stage, memory) };
  return [...lostTeams(facts), ...lostWindows(facts), ...brokenSaves(facts), ...strayQueues(facts)].sort();
}

/** What an audit says about rows is what a repair then does to them. */
export function expectedOfRows(before: Rows, after: Rows, audited: ReadonlySet<string>): Expected[] {
  const found: Expected[] = [];
  const compare = (name: "roles" | "sessions", change: (op: string, address: string) => Expected | null) => {
    for (const address of new Set([...before[name].keys(), ...after[name].keys()])) {
      const [old, now] = [before[name].get(address), after[name].get(address)];
      if (old === now || !audited.has(teamOf(address))) continue;
      const expected = change(old === undefined ? "add" : now === undefined ? "remove" : "update", address);
      if (expected !== null) found.push(expected);
    }
  };
  compare("roles", (op, address) => `${op === "remove" ? "I1" : "I8"} ${op} S1 ${address}`);
  compare("sessions", (op, address) => {
    // The role's row is removed with the session's; a session without a transcript is not a violation.
    if (op === "remove") return before.roles.has(address) ? null : `I2 remove S2 ${address}`;
    return `${op === "add" ? "I10" : "I2"} ${op} S2 ${address}`;
  });
  return found.sort();
}

/** The running teams of S3, by their current names. */
export function auditedTeams(stage: Stage, memory: Memory): ReadonlySet<string> {
  const running = new Set(memory.now().map(({ sessionName }) => sessionName));
  return new Set([...registeredNow(stage, memory)].filter((team) => running.has(team)));
}

/** Whether a pane is elsewhere than the roster says. */
export function hasMoved(memory: Memory): boolean {
  return memory.now().some(({ id, address }) => {
    const agent = memory.agentIn(id);
    return agent !== undefined && agent.address !== address;
  });
}

interface Facts {
  stage: Stage;
  memory: Memory;
  panes: readonly Known[];
  registered: ReadonlySet<string>;
}

/** A tmux session with another name was renamed, and its team with it. */
function registeredNow(stage: Stage, memory: Memory): ReadonlySet<string> {
  const renamed = new Map<string, string>();
  const list = "#{session_id}\t#{session_name}\t#{@hivemind_team}";
  const lines = memory.now().length === 0 ? [] : stage.tmux("list-sessions", "-F", list).split("\n");
  const sessions = lines.map((line) => line.split("\t"));
  for (const [id, name, carried = ""] of sessions) {
    const [own, team] = carried.split("|");
    if (own === id && team !== undefined && team !== name) renamed.set(team, name!);
  }
  for (const [, name] of sessions) renamed.delete(name!);
  return new Set(memory.teams().map((team) => renamed.get(team) ?? team));
}

function lostTeams({ stage, memory, panes, registered }: Facts): Expected[] {
  const saved = snapshotsOf(stage).map(readText);
  const isSaved = (team: string) =>
    saved.some((text) => text.split("\n").some((line) => line.startsWith(`${team}|`)));
  const hasLayout = (team: string) => readText(join(stage.home.config, "otmux", `${team}.layout.env`)) !== "";
  const { sessions } = rowsNow(stage);
  // A row with the session of an agent of another team is refused.
  const isOthers = (team: string, uuid: string) =>
    stage.roster().some((agent) => agent.team !== team && agent.session === uuid);
  const uuids = (team: string) => [
    ...stage.roster().flatMap((agent) => (agent.team === team ? (agent.session ?? []) : [])),
    ...[...sessions].flatMap(([pane, uuid]) => (teamOf(pane) === team && !isOthers(team, uuid) ? uuid : [])),
  ];
  const canReturn = (team: string) => uuids(team).some((uuid) => canOpen(stage, panes, uuid));
  const isFar = (team: string) =>
    stage.roster().some((each) => each.team === team && (memory.far.has(each.id) || isSeated(panes, each)));
  const running = new Set(panes.map(({ sessionName }) => sessionName));
  return [...registered]
    .filter((team) => !running.has(team) && !isSaved(team) && !hasLayout(team))
    .filter((team) => !canReturn(team) && !isFar(team))
    .map((team) => `I3 ${panes.length === 0 ? "report" : "remove"} S3 ${team}`);
}

/** In a tmux session whose name no row can hold: its team does not follow the rename. */
function isSeated(panes: readonly Known[], { seat }: Listed): boolean {
  return panes.some(({ id, sessionName }) => id === seat?.pane && !isTeamName(sessionName));
}

/** From its transcript or, before its first message, from that of its parent. */
function canOpen(stage: Stage, panes: readonly Known[], uuid: string): boolean {
  const isThere = (each: string) => stage.transcriptsOf(each).length > 0;
  const rows = stage
    .read("S5")
    .split("\n")
    .map((line) => line.split("|"));
  const parent = rows.filter(([, , , child, , from]) => child === uuid && from).at(-1)?.[5];
  return isThere(uuid) || isHeld(panes, uuid) || (parent !== undefined && isThere(parent));
}

function isHeld(panes: readonly Known[], uuid: string): boolean {
  return panes.some(({ known, isAlive }) => known.kind === "agent" && isAlive && known.uuid === uuid);
}

function lostWindows({ stage, registered, memory }: Facts): Expected[] {
  const teams = rowsOf("S8", stage.read("S8")).map(([, team]) => team!);
  const isKnown = (team: string) => registered.has(team) || memory.teams().includes(team);
  return teams.filter((team) => !isKnown(team)).map((team) => `I4 remove S8 ${team}`);
}

function brokenSaves({ stage, panes, memory }: Facts): Expected[] {
  const newest = snapshotsOf(stage)[0];
  const rows =
    newest === undefined
      ? []
      : readText(newest)
          .split("\n")
          .map((line) => line.split("|"));
  const silent = new Set(rows.flatMap(([line]) => /^# no word yet (\S+)/.exec(line ?? "")?.[1] ?? []));
  const isFar = (uuid: string) => [...memory.far.values()].includes(uuid);
  return rows
    .filter(([team, , , uuid]) => !team?.startsWith("#") && uuid && !silent.has(uuid))
    .filter(
      ([, , , uuid]) => stage.transcriptsOf(uuid!).length === 0 && !isHeld(panes, uuid!) && !isFar(uuid!),
    )
    .map(([team, place]) => `I5 report S4 ${team}:${place}`);
}

const queueAgeSeconds = 3600;

/** Files named after panes in which no agent is, or was last. */
function strayQueues({ stage, memory }: Facts): Expected[] {
  const audited = auditedTeams(stage, memory);
  const now = Math.floor(Date.now() / 1000);
  const rows = rowsNow(stage);
  const isOwned = (pane: string) => {
    const isAt = ({ address }: Listed) => address === pane;
    return stage.roster().some(isAt) || rows.roles.has(pane) || rows.sessions.has(pane);
  };
  return strangeQueues(stage)
    .filter(({ pane }) => audited.has(teamOf(pane)) && !isOwned(pane))
    .map(({ pane, text }) => {
      const stamps = text
        .split("\n")
        .filter(Boolean)
        .map((line) => Number.parseInt(line, 10));
      const isOver = stamps.every((seconds) => now - seconds > queueAgeSeconds);
      return `I6 ${isOver ? "remove" : "report"} S6 ${pane}`;
    });
}
