// What can happen, as data: a closed list. An event is a fact that has happened, never a wish.
//
// [EV1] An event that passes its gates reads back from its log text as the same event.
// [EV2] An argument that does not pass its gate is refused before anything is logged.
// [EV3] The text is the arguments in the order of the table, separated by spaces: greppable, one line.
// [EV4] That an agent was only found to be gone is said behind its pane. Without a word, somebody ended it by a command.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import {
  isField,
  isPaneAddress,
  isRole,
  isSessionId,
  isTeamName,
  type PaneAddress,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";

export interface Move {
  from: PaneAddress;
  to: PaneAddress;
}

export const changeCauses = ["clear", "branch", "resume", "compact", "fork", "unknown"] as const;
/** What the client did that gave a running agent another session. */
export type ChangeCause = (typeof changeCauses)[number];

export const lastStates = ["live", "stable", "stale", "broken", "unknown"] as const;

export type HiveEvent =
  | { name: "agent.spawned"; pane: PaneAddress; role: Role; uuid: SessionId | null }
  | { name: "agent.killed"; pane: PaneAddress; how?: "unasked" }
  | { name: "agent.renamed"; pane: PaneAddress; old: Role | null; new: Role }
  | { name: "agent.forked"; pane: PaneAddress; role: Role; parent: SessionId; child: SessionId }
  /** All moves of it happened at once: a swap is two. */
  | { name: "panes.shifted"; team: TeamName; moves: readonly Move[] }
  | { name: "panes.swapped"; team: TeamName; a: PaneAddress; b: PaneAddress }
  | { name: "pane.moved"; from: PaneAddress; to: PaneAddress }
  | { name: "team.created"; team: TeamName; description: string }
  | { name: "team.destroyed"; team: TeamName }
  | { name: "team.restored"; team: TeamName; snapshot: string }
  | { name: "session.changed"; pane: PaneAddress; old: SessionId | null; new: SessionId; cause: ChangeCause }
  /** The pane's row of it went: what was last known of it. */
  | { name: "session.dropped"; pane: PaneAddress; uuid: SessionId; state: (typeof lastStates)[number] }
  /** A copy that was made without an agent. */
  | { name: "session.forked"; parent: SessionId; child: SessionId }
  /** A session of a clone that was moved or copied belongs to another folder now. */
  | { name: "session.rebound"; session: string; from: string | null; to: string }
  | { name: "team.renamed"; old: TeamName; new: TeamName };

export type EventName = HiveEvent["name"];
export type EventOf<Name extends EventName> = Extract<HiveEvent, { name: Name }>;

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(argumentTable, text);
}

export const eventNames = (): readonly EventName[] => Object.keys(argumentTable) as EventName[];

/** The arguments, as the log has them behind the event's name. */
export function formatArguments(event: HiveEvent): string {
  const values = event as unknown as Readonly<Record<string, unknown>>;
  return argumentTable[event.name]
    .flatMap(([key, gate]) => formatValue(event.name, key, gate, values[key]))
    .join(" ");
}

/** The same for a person: nothing is escaped, and what is empty is left out. */
export function plainArguments(event: HiveEvent): string {
  const words = splitWords(formatArguments(event)).map(unescapeWord);
  return words.filter((word) => word !== "").join(" ");
}

/** The event, or what is wrong with the text. */
export function parseEvent(name: string, text: string): HiveEvent | string {
  if (!isEventName(name)) return `there is no event "${harmless(name.slice(0, 40))}"`;
  const words = splitWords(text);
  const event: Record<string, unknown> = { name };
  for (const [key, gate] of argumentTable[name]) {
    if (gate.endsWith("*") && words.length === 0) continue;
    const value = gate === "moves" ? readMoves(words.splice(0)) : readWord(words.shift(), gate);
    if (value === undefined) return `${name}: ${key} is missing or not valid`;
    event[key] = value;
  }
  return words.length === 0 ? (event as unknown as HiveEvent) : `${name}: too many arguments`;
}

const gates = {
  pane: isPaneAddress,
  role: isRole,
  uuid: isSessionId,
  team: isTeamName,
  text: isField,
  cause: (value: string) => (changeCauses as readonly string[]).includes(value),
  state: (value: string) => (lastStates as readonly string[]).includes(value),
  unasked: (value: string) => value === "unasked",
};
/** With `?` it may be null, with `*` it may be missing at the end. */
type Gate = `${keyof typeof gates}${"" | "?" | "*"}` | "moves";

const argumentTable: { readonly [Name in EventName]: readonly (readonly [string, Gate])[] } = {
  "agent.spawned": [
    ["pane", "pane"],
    ["role", "role"],
    ["uuid", "uuid?"],
  ],
  "agent.killed": [
    ["pane", "pane"],
    ["how", "unasked*"],
  ],
  "agent.renamed": [
    ["pane", "pane"],
    ["old", "role?"],
    ["new", "role"],
  ],
  "agent.forked": [
    ["pane", "pane"],
    ["role", "role"],
    ["parent", "uuid"],
    ["child", "uuid"],
  ],
  "panes.shifted": [
    ["team", "team"],
    ["moves", "moves"],
  ],
  "panes.swapped": [
    ["team", "team"],
    ["a", "pane"],
    ["b", "pane"],
  ],
  "pane.moved": [
    ["from", "pane"],
    ["to", "pane"],
  ],
  "team.created": [
    ["team", "team"],
    ["description", "text"],
  ],
  "team.destroyed": [["team", "team"]],
  "team.restored": [
    ["team", "team"],
    ["snapshot", "text"],
  ],
  "session.changed": [
    ["pane", "pane"],
    ["old", "uuid?"],
    ["new", "uuid"],
    ["cause", "cause"],
  ],
  "session.dropped": [
    ["pane", "pane"],
    ["uuid", "uuid"],
    ["state", "state"],
  ],
  "session.forked": [
    ["parent", "uuid"],
    ["child", "uuid"],
  ],
  "session.rebound": [
    ["session", "text"],
    ["from", "text?"],
    ["to", "text"],
  ],
  "team.renamed": [
    ["old", "team"],
    ["new", "team"],
  ],
};

function formatValue(name: EventName, key: string, gate: Gate, value: unknown): string[] {
  if (gate.endsWith("*") && value === undefined) return [];
  if (gate === "moves" && Array.isArray(value)) {
    const words = value.map((move: Move) => `${move.from}>${move.to}`);
    if (readMoves(words) !== undefined) return words;
  } else if (value === null || typeof value === "string") {
    const word = value === null ? "-" : escapeWord(value);
    if (readWord(word, gate) === value) return [word];
  }
  throw new HiveError(`refused event ${name}: "${harmless(String(value).slice(0, 80))}" is no ${key}`);
}

/** Undefined when it is missing, or the gate does not let it through. */
function readWord(word: string | undefined, gate: Gate): string | null | undefined {
  if (word === undefined) return undefined;
  if (word === "-") return gate.endsWith("?") ? null : undefined;
  const value = unescapeWord(word);
  return gates[gate.replace(/[?*]$/, "") as keyof typeof gates](value) ? value : undefined;
}

function readMoves(words: readonly string[]): Move[] | undefined {
  const moves: Move[] = [];
  for (const word of words) {
    const [from = "", to = "", ...more] = word.split(">");
    if (!isPaneAddress(from) || !isPaneAddress(to) || more.length > 0) return undefined;
    moves.push({ from, to });
  }
  return moves;
}

/** `\e` is nothing at all, and `\-` is a dash that is not the mark for "none". */
function escapeWord(value: string): string {
  if (value === "") return "\\e";
  return value === "-" ? "\\-" : value.replaceAll(/[\\ ]/g, "\\$&");
}

function unescapeWord(word: string): string {
  return word === "\\e" ? "" : word.replaceAll(/\\(.)/gu, "$1");
}

function splitWords(text: string): string[] {
  return text.match(/(?:\\.|[^\\ ])+/gu) ?? [];
}
