// What an audit must find: exactly this, by what is live, by the files as they lie there, and by what was done.

import { join } from "node:path";
import { followed, isTeamName, markOf, type Shifted, shiftedIn, teamOf } from "./followed.js";
import type { Known, Memory } from "./memory.js";
import { queueFiles, rowsOf, snapshotsOf, type WaitingMessage, waitingMessages } from "./rows.js";
import { readText, type Stage } from "./stage.js";

/** `I8 add S1 red:0.1`: which invariant, what would be done about it, where, and to which row. */
export type Expected = string;

interface Facts {
  stage: Stage;
  panes: readonly Known[];
  byAddress: ReadonlyMap<string, Known>;
  /** The teams of S3, by the names they have now, and those of them that run. */
  registered: ReadonlySet<string>;
  audited: ReadonlySet<string>;
  roles: ReadonlyMap<string, RoleRow>;
  sessions: ReadonlyMap<string, string>;
  queues: ReadonlyMap<string, Queue>;
  renamed: ReadonlyMap<string, string>;
  /** Addresses of marks that could not be followed. */
  unfollowed: ReadonlySet<string>;
}

interface RoleRow {
  role: string;
  epoch: number | null;
}

interface Queue {
  waiting: number;
  isExpired: boolean;
  isBlank: boolean;
}

const queueAgeSeconds = 3600;

export function expectedViolations(stage: Stage, memory: Memory): Expected[] {
  const facts = factsOf(stage, memory);
  return [
    ...lostTeams(facts),
    ...goneRoles(facts),
    ...wrongSessions(facts),
    ...wrongRoles(facts),
    ...missingSessions(facts),
    ...doubles(facts),
    ...lostWindows(facts),
    ...brokenSaves(facts),
    ...strayQueues(facts),
    ...wrongTitles(facts),
  ].sort();
}

function factsOf(stage: Stage, memory: Memory): Facts {
  const panes = memory.now();
  const stored = new Set(memory.teams());
  const running = new Set(panes.map(({ sessionName }) => sessionName));
  const roleRows = rowsOf("S1", stage.read("S1")).map(([pane, role, epoch]): [string, RoleRow] => [
    pane!,
    { role: role!, epoch: epoch ? Number(epoch) : null },
  ]);
  const sessionRows = rowsOf("S2", stage.read("S2")).map(([pane, uuid]): [string, string] => [
    pane!,
    uuid!.toLowerCase(),
  ]);
  const rowed = new Set([...roleRows, ...sessionRows].map(([pane]) => teamOf(pane)));
  const shifted = shiftedIn(panes, stored, rowed);
  const registered = new Set([...stored].map((team) => shifted.renamed.get(team) ?? team));
  const marked = panes.flatMap((pane) => markOf(pane)?.address ?? []);
  return {
    stage,
    panes,
    byAddress: new Map(panes.map((pane) => [pane.address, pane])),
    registered,
    audited: new Set([...registered].filter((team) => running.has(team))),
    roles: followed(new Map(roleRows), shifted),
    sessions: followed(new Map(sessionRows), shifted),
    queues: queuesIn(stage, panes, shifted),
    renamed: shifted.renamed,
    unfollowed: new Set(marked.filter((address) => !shifted.moved.has(address))),
  };
}

const isAudited = ({ audited }: Facts, address: string) => audited.has(teamOf(address));

type Fate = "kept" | "gone" | "awaited";

const isGone = (facts: Facts, address: string) =>
  isAudited(facts, address) && fateOf(facts, address) === "gone";

/** What becomes of the rows of an address for which no mark speaks. */
function fateOf(facts: Facts, address: string): Fate {
  const team = teamOf(address);
  const own = facts.panes.find(({ sessionName }) => sessionName === team);
  if (own === undefined) return "kept";
  const pane = facts.byAddress.get(address);
  // Its pane stands where no row can name it: the row waits for it, until another takes that place.
  if (facts.unfollowed.has(address)) return pane && isTakenBy(pane, address, facts) ? "gone" : "kept";
  const row = facts.roles.get(address);
  if (row === undefined) return pane !== undefined || hasAwaited(facts, team) ? "kept" : "gone";
  if (pane && markOf(pane) !== null) return "kept";
  if (row.epoch === null) return pane === undefined ? "gone" : "kept";
  const uuid = facts.sessions.get(address) ?? "none";
  if (pane && (cleaned(pane.title) === row.role || liveUuid(facts, pane) === uuid)) return "kept";
  // Written while this tmux session stood, and for a pane that was marked: that one is not there any more.
  if (isMarkedTeam(facts, team) && row.epoch >= own.created) return "gone";
  return facts.panes.some((other) => liveUuid(facts, other) === uuid) ? "gone" : "awaited";
}

function hasAwaited(facts: Facts, team: string): boolean {
  return [...facts.roles.keys()].some(
    (address) => teamOf(address) === team && fateOf(facts, address) === "awaited",
  );
}

function isMarkedTeam({ panes }: Facts, team: string): boolean {
  return panes.some((pane) => pane.sessionName === team && (pane.isTeam || markOf(pane) !== null));
}

/** By one without a mark, or by an ended agent whose own mark is followed nowhere. */
function isTakenBy(pane: Known, address: string, { unfollowed }: Facts): boolean {
  const mark = markOf(pane);
  if (mark === null) return true;
  const isEnded = pane.known.kind !== "agent" || !pane.isAlive;
  return isEnded && mark.address !== address && unfollowed.has(mark.address);
}

/** Places whose rows are left alone: they are what brings their agents back. */
export function awaitedPlaces(stage: Stage, memory: Memory): ReadonlySet<string> {
  const facts = factsOf(stage, memory);
  return new Set([...facts.roles.keys()].filter((address) => fateOf(facts, address) === "awaited"));
}

/** An agent's role: what its pane carries, what S1 says, what it was named at its start. */
function roleOf(facts: Facts, pane: Known): string | null {
  if (pane.known.kind !== "agent" || !pane.isAlive) return null;
  const marked = markOf(pane)?.role;
  const fate = fateOf(facts, pane.address);
  if (marked === undefined && fate === "awaited") return null;
  const row = fate === "gone" ? undefined : facts.roles.get(pane.address)?.role;
  return marked ?? row ?? pane.known.role;
}

function namedAgents(facts: Facts): { pane: Known; role: string }[] {
  return facts.panes
    .filter(({ sessionName }) => facts.audited.has(sessionName))
    .flatMap((pane) => {
      const role = roleOf(facts, pane);
      return role === null ? [] : [{ pane, role }];
    });
}

function lostTeams(facts: Facts): Expected[] {
  const saved = snapshotsOf(facts.stage).map(readText);
  const isSaved = (team: string) =>
    saved.some((text) => text.split("\n").some((line) => line.startsWith(`${team}|`)));
  const hasLayout = (team: string) =>
    readText(join(facts.stage.home.config, "otmux", `${team}.layout.env`)) !== "";
  const canReturn = (team: string) =>
    [...facts.sessions].some(([pane, uuid]) => teamOf(pane) === team && canOpen(facts, uuid));
  return [...facts.registered]
    .filter((team) => !facts.audited.has(team) && !isSaved(team) && !hasLayout(team) && !canReturn(team))
    .map((team) => `I3 ${facts.panes.length === 0 ? "report" : "remove"} S3 ${team}`);
}

/** From its transcript, or, before its first word, from the one it was forked of. */
function canOpen({ stage, panes }: Facts, uuid: string): boolean {
  const isThere = (each: string) => stage.transcriptsOf(each).length > 0;
  const parents = stage
    .read("S5")
    .split("\n")
    .map((line) => line.split("|"));
  const parent = parents.filter(([, , , child, , from]) => child === uuid && from).at(-1)?.[5];
  return isThere(uuid) || isHeld(panes, uuid) || (parent !== undefined && isThere(parent));
}

function isHeld(panes: readonly Known[], uuid: string): boolean {
  return panes.some(({ known, isAlive }) => known.kind === "agent" && isAlive && known.uuid === uuid);
}

function goneRoles(facts: Facts): Expected[] {
  return [...facts.roles.keys()].filter((pane) => isGone(facts, pane)).map((pane) => `I1 remove S1 ${pane}`);
}

function wrongSessions(facts: Facts): Expected[] {
  return [...facts.sessions].flatMap(([address, uuid]) => wrongSession(facts, address, uuid) ?? []);
}

function wrongSession(facts: Facts, address: string, uuid: string): Expected | null {
  if (!isAudited(facts, address)) return null;
  if (isGone(facts, address)) return facts.roles.has(address) ? null : `I2 remove S2 ${address}`;
  const pane = facts.byAddress.get(address);
  if (pane === undefined) return null;
  const role = roleOf(facts, pane);
  if (role !== null) return liveUuid(facts, pane) === uuid ? null : `I2 update S2 ${address}`;
  if (facts.roles.has(address)) return null;
  const isEnded = !pane.isAlive || pane.known.kind === "shell";
  return isEnded && markOf(pane) !== null ? `I2 add S1 ${address}` : `I2 remove S2 ${address}`;
}

/** What the agent says of itself. */
function liveUuid({ stage }: Facts, { pid }: Known): string | null {
  return stage.ownWord(pid)?.sessionId ?? null;
}

function wrongRoles(facts: Facts): Expected[] {
  return namedAgents(facts).flatMap(({ pane: { address }, role }) => {
    const row = isGone(facts, address) ? undefined : facts.roles.get(address)?.role;
    return row === role ? [] : [`I8 ${row === undefined ? "add" : "update"} S1 ${address}`];
  });
}

function missingSessions(facts: Facts): Expected[] {
  return namedAgents(facts)
    .filter(({ pane }) => isGone(facts, pane.address) || !facts.sessions.has(pane.address))
    .map(({ pane }) => `I10 add S2 ${pane.address}`);
}

/** Rows of two panes with one session, as they are once the rest is repaired. */
function doubles(facts: Facts): Expected[] {
  const holders = new Map<string, Set<string>>();
  for (const [address, row] of facts.sessions) {
    if (!isAudited(facts, address) || isGone(facts, address)) continue;
    // Else its pane stands where no row can name it.
    const pane = facts.byAddress.get(address);
    const wrong = wrongSession(facts, address, row);
    if (wrong?.startsWith("I2 remove")) continue;
    const uuid = wrong?.startsWith("I2 update") ? liveUuid(facts, pane!)! : row;
    holders.set(uuid, (holders.get(uuid) ?? new Set()).add(pane?.id ?? address));
  }
  return [...holders].filter(([, panes]) => panes.size > 1).map(([uuid]) => `I10 report S2 ${uuid}`);
}

function lostWindows(facts: Facts): Expected[] {
  const teams = rowsOf("S8", facts.stage.read("S8")).map(([, team]) => team!);
  return teams
    .filter((team) => !facts.registered.has(team) && !facts.renamed.has(team))
    .map((team) => `I4 remove S8 ${team}`);
}

function brokenSaves({ stage, panes }: Facts): Expected[] {
  const newest = snapshotsOf(stage)[0];
  const rows =
    newest === undefined
      ? []
      : readText(newest)
          .split("\n")
          .map((line) => line.split("|"));
  const silent = new Set(rows.flatMap(([line]) => /^# no word yet (\S+)/.exec(line ?? "")?.[1] ?? []));
  return rows
    .filter(([team, , , uuid]) => !team?.startsWith("#") && uuid && !silent.has(uuid))
    .filter(([, , , uuid]) => stage.transcriptsOf(uuid!).length === 0 && !isHeld(panes, uuid!))
    .map(([team, place]) => `I5 report S4 ${team}:${place}`);
}

function strayQueues(facts: Facts): Expected[] {
  return [...facts.queues]
    .filter(([pane]) => isAudited(facts, pane) && !facts.roles.has(pane))
    .filter(([pane]) => {
      const there = facts.byAddress.get(pane);
      return there === undefined || roleOf(facts, there) === null;
    })
    .filter(([, { waiting, isBlank }]) => waiting > 0 || isBlank)
    .map(([pane, { isExpired }]) => `I6 ${isExpired ? "remove" : "report"} S6 ${pane}`);
}

/** What waits at each address once every message is where its pane stands. */
function queuesIn(stage: Stage, panes: readonly Known[], shifted: Shifted): Map<string, Queue> {
  const now = Math.floor(Date.now() / 1000);
  const isExpired = ({ seconds }: WaitingMessage) => now - seconds > queueAgeSeconds;
  const server = panes.length === 0 ? null : stage.serverKey();
  const owned: [string, WaitingMessage][] = [];
  const others = new Map<string, WaitingMessage[]>();
  for (const message of waitingMessages(stage)) {
    if (message.pane === null) continue;
    const [id, key] = message.owner?.split(" ") ?? [];
    const owner = panes.find((pane) => pane.id === id);
    if (id === undefined || key !== server)
      others.set(message.pane, [...(others.get(message.pane) ?? []), message]);
    else if (owner !== undefined && isTeamName(owner.sessionName)) owned.push([owner.address, message]);
    else if (!panes.some(({ address }) => address === message.pane)) owned.push([message.pane, message]);
  }
  const blank = new Set(
    queueFiles(stage)
      .filter(({ text }) => text.trim() === "")
      .map(({ pane }) => pane),
  );
  const placed = followed(others, shifted);
  for (const [pane, message] of owned) placed.set(pane, [...(placed.get(pane) ?? []), message]);
  for (const pane of blank) if (!placed.has(pane)) placed.set(pane, []);
  return new Map(
    [...placed].map(([pane, waiting]) => [
      pane,
      { waiting: waiting.length, isExpired: waiting.every(isExpired), isBlank: blank.has(pane) },
    ]),
  );
}

function wrongTitles(facts: Facts): Expected[] {
  return registered(facts)
    .filter(({ pane, role }) => cleaned(pane.title) !== role && !isSuffixed(cleaned(pane.title), role))
    .map(({ pane }) => `I9 report L1 ${pane.address}`);
}

/** What nobody outside can say: two words behind a name are the client's, or a person's who resumed it. */
export function undecided(stage: Stage, memory: Memory): Set<Expected> {
  const suffixed = registered(factsOf(stage, memory)).filter(({ pane, role }) =>
    isSuffixed(cleaned(pane.title), role),
  );
  return new Set(suffixed.map(({ pane }) => `I9 report L1 ${pane.address}`));
}

function registered(facts: Facts): { pane: Known; role: string }[] {
  return namedAgents(facts).filter(
    ({ pane, role }) => !isGone(facts, pane.address) && facts.roles.get(pane.address)?.role === role,
  );
}

function isSuffixed(name: string, role: string): boolean {
  return name.startsWith(`${role}-`) && /^-[a-z]+-[a-z]+$/.test(name.slice(role.length));
}

function cleaned(title: string): string {
  return title.replace(/^[^A-Za-z0-9]+ /, "");
}
