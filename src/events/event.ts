// All events as data, a closed list. An event is a fact that has happened, never a request.
//
// - A valid event reads back from its log text as the same event. An invalid argument is refused before logging.
// - The text is one line: the arguments in the order of the table, separated by spaces, easy to grep.
// - An event about one agent has the agent's id as its last argument. Logs of earlier versions have none.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { type AgentId, isAgentId } from "../names/agent-id.js";
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
  agent?: AgentId;
}

export const changeCauses = ["clear", "branch", "resume", "compact", "fork", "unknown"] as const;
/** The client's action that gave a running agent another session. */
export type ChangeCause = (typeof changeCauses)[number];

export const lastStates = ["live", "stable", "stale", "broken", "unknown"] as const;
export type LastState = (typeof lastStates)[number];

/** What ended an agent: a command (asked), or nothing known. Earlier versions wrote "unasked" for "gone". */
export const endCauses = ["asked", "gone", "crashed", "unasked"] as const;
export type EndCause = (typeof endCauses)[number];

export const decisions = ["approved", "always", "rejected", "answered", "chosen", "dismissed"] as const;
/** What a person decided about a request or a dialog. */
export type DecisionWord = (typeof decisions)[number];

export const actOutcomes = ["done", "queued", "held", "refused", "failed"] as const;
/** What became of an action: `failed` could not be carried out, for a reason that is not the person's. */
export type ActOutcome = (typeof actOutcomes)[number];

/** About one agent at its address. */
interface OfAgent {
  pane: PaneAddress;
  agent?: AgentId;
}

export type HiveEvent =
  | (OfAgent & { name: "agent.spawned"; role: Role | null; uuid: SessionId | null })
  | (OfAgent & { name: "agent.killed"; cause?: EndCause })
  | { name: "agent.forgotten"; role: Role | null; agent: AgentId }
  | (OfAgent & { name: "agent.renamed"; old: Role | null; new: Role | null })
  | (OfAgent & { name: "agent.forked"; role: Role | null; parent: SessionId; child: SessionId })
  /** All its moves happened at once. */
  | { name: "panes.shifted"; team: TeamName; moves: readonly Move[] }
  | { name: "panes.swapped"; team: TeamName; a: PaneAddress; b: PaneAddress }
  | (Move & { name: "pane.moved" })
  | { name: "team.created"; team: TeamName; description: string }
  | { name: "team.destroyed"; team: TeamName }
  | { name: "team.restored"; team: TeamName; snapshot: string }
  | (OfAgent & { name: "session.changed"; old: SessionId | null; new: SessionId; cause: ChangeCause })
  /** The agent lost its session; `state` is the last known one. */
  | (OfAgent & { name: "session.dropped"; uuid: SessionId; state: LastState })
  /** A copy made without an agent. */
  | { name: "session.forked"; parent: SessionId; child: SessionId }
  /** A session of a moved or copied clone now belongs to another folder. */
  | { name: "session.rebound"; session: string; from: string | null; to: string }
  | { name: "team.renamed"; old: TeamName; new: TeamName }
  /** `from` is the terminal of the person `by`. `request` is null for a dialog that was answered by key. */
  | {
      name: "request.decided";
      decision: DecisionWord;
      request: string | null;
      by: string;
      from: string;
      what: string;
      pane: PaneAddress | null;
      agent?: AgentId;
    }
  /** An action through the server's API, by the person who started it; `from` is the client. */
  | { name: "web.acted"; action: string; what: string | null; by: string; from: string; outcome: ActOutcome }
  /** An action that a person of another host asked for: `by` is `person@host`, `from` that host and their terminal. */
  | { name: "far.acted"; action: string; what: string | null; by: string; from: string; outcome: ActOutcome };

export type EventName = HiveEvent["name"];
export type EventOf<Name extends EventName> = Extract<HiveEvent, { name: Name }>;

export function isEventName(text: string): text is EventName {
  return Object.hasOwn(argumentTable, text);
}

export const eventNames = (): readonly EventName[] => Object.keys(argumentTable) as EventName[];

/** The arguments as the log has them after the event's name. */
export function formatArguments(event: HiveEvent): string {
  const values = event as unknown as Readonly<Record<string, unknown>>;
  return argumentsOf(event.name)
    .flatMap(({ key, gate }) => formatValue(event.name, key, gate, values[key]))
    .join(" ");
}

/** The arguments for users: nothing is escaped, and empty ones are left out. */
export function plainArguments(event: HiveEvent): string {
  const words = splitWords(formatArguments(event)).map(unescapeWord);
  return words.filter((word) => word !== "").join(" ");
}

/** The event, or the problem with the text. */
export function parseEvent(name: string, text: string): HiveEvent | string {
  if (!isEventName(name)) return `unknown event "${harmless(name.slice(0, 40))}"`;
  const words = splitWords(text);
  const event: Record<string, unknown> = { name };
  for (const { key, gate } of argumentsOf(name)) {
    if (gate.endsWith("*") && words.length === 0) continue;
    const value = gate === "moves" ? readMoves(words.splice(0)) : readWord(words.shift(), gate);
    if (value === undefined) return `${name}: ${key} is missing or invalid`;
    event[key] = value;
  }
  return words.length === 0 ? (event as unknown as HiveEvent) : `${name}: too many arguments`;
}

const oneOf = (values: readonly string[]) => (value: string) => values.includes(value);

const gates = {
  pane: isPaneAddress,
  role: isRole,
  uuid: isSessionId,
  team: isTeamName,
  text: isField,
  cause: oneOf(changeCauses),
  state: oneOf(lastStates),
  end: oneOf(endCauses),
  agent: isAgentId,
  decision: oneOf(decisions),
  outcome: oneOf(actOutcomes),
};
/** With `?` it may be null, with `*` it may be missing at the end. */
type Gate = `${keyof typeof gates}${"" | "?" | "*"}` | "moves";

/** The arguments of each event in order: the key, and after a colon its check if that has another name. */
const argumentTable: Readonly<Record<EventName, string>> = {
  "agent.spawned": "pane role? uuid? agent*",
  "agent.killed": "pane cause:end* agent*",
  "agent.forgotten": "role? agent",
  "agent.renamed": "pane old:role? new:role? agent*",
  "agent.forked": "pane role? parent:uuid child:uuid agent*",
  "panes.shifted": "team moves",
  "panes.swapped": "team a:pane b:pane",
  "pane.moved": "from:pane to:pane agent*",
  "team.created": "team description:text",
  "team.destroyed": "team",
  "team.restored": "team snapshot:text",
  "session.changed": "pane old:uuid? new:uuid cause agent*",
  "session.dropped": "pane uuid state agent*",
  "session.forked": "parent:uuid child:uuid",
  "session.rebound": "session:text from:text? to:text",
  "team.renamed": "old:team new:team",
  "request.decided": "decision request:text? by:text from:text what:text pane? agent*",
  "web.acted": "action:text what:text? by:text from:text outcome",
  "far.acted": "action:text what:text? by:text from:text outcome",
};

function argumentsOf(name: EventName): { key: string; gate: Gate }[] {
  return argumentTable[name].split(" ").map((word) => {
    const [key, gate = key] = word.split(":") as [string, string?];
    return { key: key.replace(/[?*]$/, ""), gate: gate as Gate };
  });
}

function formatValue(name: EventName, key: string, gate: Gate, value: unknown): string[] {
  if (gate.endsWith("*") && value === undefined) return [];
  if (gate === "moves" && Array.isArray(value)) {
    const words = value.map(({ from, to, agent }: Move) => [from, to, agent ?? []].flat().join(">"));
    if (readMoves(words) !== undefined) return words;
  } else if (value === null || typeof value === "string") {
    const word = value === null ? "-" : escapeWord(value);
    if (readWord(word, gate) === value) return [word];
  }
  throw new HiveError(
    `refused event ${name}: "${harmless(String(value).slice(0, 80))}" is not a valid ${key}`,
  );
}

/** Undefined if it is missing or invalid. */
function readWord(word: string | undefined, gate: Gate): string | null | undefined {
  if (word === undefined) return undefined;
  if (word === "-") return gate.endsWith("?") ? null : undefined;
  const value = unescapeWord(word);
  return gates[gate.replace(/[?*]$/, "") as keyof typeof gates](value) ? value : undefined;
}

function readMoves(words: readonly string[]): Move[] | undefined {
  const moves: Move[] = [];
  for (const word of words) {
    const [from = "", to = "", agent, ...more] = word.split(">");
    const isGood = isPaneAddress(from) && isPaneAddress(to) && more.length === 0;
    if (!isGood || (agent !== undefined && !isAgentId(agent))) return undefined;
    moves.push(agent === undefined ? { from, to } : { from, to, agent });
  }
  return moves;
}

/** `\e` is the empty text, and `\-` is a literal dash instead of the mark for "none". */
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
