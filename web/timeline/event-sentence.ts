// What happened, as a sentence. Pure: a row of the event log in, words and links out.

import type { EventName } from "../../src/events/event.js";
import type { LoggedFact } from "../../src/web/contract.js";

export type Part =
  | { kind: "text" | "strong" | "code"; text: string }
  /** `key` names the agent's page. */
  | { kind: "agent"; text: string; key: string }
  | { kind: "session"; id: string };

export type EventGroup = "agents" | "sessions" | "panes" | "teams" | "decisions";

/** The groups that the page can filter by. */
export const eventGroups: readonly { group: EventGroup; words: string }[] = [
  { group: "agents", words: "agents" },
  { group: "sessions", words: "conversations" },
  { group: "decisions", words: "decisions" },
  { group: "teams", words: "teams" },
  { group: "panes", words: "panes" },
];

export function groupOf(event: string): EventGroup {
  if (event.startsWith("agent.")) return "agents";
  if (event.startsWith("session.")) return "sessions";
  if (event.startsWith("team.")) return "teams";
  return event.startsWith("pane") ? "panes" : "decisions";
}

type Args = LoggedFact["args"];
type Words = (args: Args) => (Part | string)[];

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const strong = (value: unknown): Part => ({ kind: "strong", text: text(value) || "(none)" });
const code = (value: unknown): Part => ({ kind: "code", text: text(value) });
const session = (value: unknown): Part | string =>
  text(value) === "" ? "an unknown conversation" : { kind: "session", id: text(value) };

/** The agent by its name here: its role, else its address. */
function agent({ agent: id, role, pane, new: renamed }: Args, name?: unknown): Part {
  const words = text(name) || text(role) || text(pane) || text(renamed) || "an agent";
  return text(id) === "" ? strong(words) : { kind: "agent", text: words, key: `@${text(id)}` };
}

const at = ({ pane, role }: Args): (Part | string)[] =>
  text(pane) === "" || text(role) === "" ? [] : [" in ", code(pane)];

const causes: Readonly<Record<string, string>> = {
  clear: "cleared its conversation",
  branch: "branched its conversation",
  resume: "resumed another conversation",
  compact: "compacted its conversation",
  fork: "forked its conversation",
  unknown: "changed its conversation",
};

const ends: Readonly<Record<string, string>> = {
  asked: "was ended by a command",
  gone: "is gone",
  unasked: "is gone",
  crashed: "crashed",
};

const decided: Readonly<Record<string, string>> = {
  approved: "approved",
  always: "approved, from now on always,",
  rejected: "rejected",
  answered: "answered",
  chosen: "chose an option for",
  dismissed: "dismissed",
};

const sentences: Readonly<Partial<Record<EventName | "web.acted", Words>>> = {
  "agent.spawned": (args) => [agent(args), ...at(args), " started", ...withSession(args.uuid)],
  "agent.killed": (args) => [agent(args), ` ${ends[text(args.cause)] ?? "ended"}`],
  "agent.forgotten": (args) => [strong(text(args.role) || text(args.agent)), " was forgotten"],
  "agent.renamed": (args) => [
    agent(args, text(args.old) || args.pane),
    " is now called ",
    text(args.new) === "" ? "nothing" : strong(args.new),
  ],
  "agent.forked": (args) => [
    agent(args),
    ...at(args),
    " was forked from ",
    session(args.parent),
    " as ",
    session(args.child),
  ],
  "panes.shifted": (args) => ["The panes of ", strong(args.team), ` moved: ${movesIn(args.moves)}`],
  "panes.swapped": (args) => [
    "In ",
    strong(args.team),
    ", ",
    code(args.a),
    " and ",
    code(args.b),
    " changed places",
  ],
  "pane.moved": (args) => [agent(args, args.from), " moved to ", code(args.to)],
  "team.created": (args) => ["The team ", strong(args.team), " was created", ...about(args.description)],
  "team.destroyed": (args) => ["The team ", strong(args.team), " was removed"],
  "team.restored": (args) => ["The team ", strong(args.team), " was restored from ", code(args.snapshot)],
  "team.renamed": (args) => ["The team ", strong(args.old), " is now called ", strong(args.new)],
  "session.changed": (args) => [
    agent(args),
    ` ${causes[text(args.cause)] ?? causes.unknown}: now in `,
    session(args.new),
    ...(text(args.old) === "" ? [] : [", before in ", session(args.old)]),
  ],
  "session.dropped": (args) => [
    agent(args),
    " lost its conversation ",
    session(args.uuid),
    ` (${text(args.state)})`,
  ],
  "session.forked": (args) => [session(args.parent), " was forked as ", session(args.child)],
  "session.rebound": (args) => [session(args.session), " now belongs to ", code(args.to)],
  "request.decided": (args) => [
    strong(args.by),
    ` ${decided[text(args.decision)] ?? "decided"} `,
    code(args.what),
    ...(text(args.pane) === "" ? [] : [" for ", agent(args)]),
    ` (from ${text(args.from)})`,
  ],
  "web.acted": (args) => [
    strong(args.by),
    " used the web page: ",
    code(`${text(args.action).replace(/^\//, "")} ${text(args.what)}`.trim()),
    ` (${text(args.outcome)}, from ${text(args.from)})`,
  ],
  "far.acted": (args) => [
    strong(args.by),
    " asked from another host: ",
    code(`${text(args.action)} ${text(args.what)}`.trim()),
    ` (${text(args.outcome)}, from ${text(args.from)})`,
  ],
};

/** An event of a newer version is shown with its arguments as they are. */
export function sentenceOf({ event, args }: Pick<LoggedFact, "event" | "args">): Part[] {
  const words = sentences[event as EventName];
  const parts = words === undefined ? [strong(event), ` ${rest(args)}`] : words(args);
  return parts.map((part) => (typeof part === "string" ? { kind: "text", text: part } : part));
}

export function plainSentence(fact: Pick<LoggedFact, "event" | "args">): string {
  return sentenceOf(fact)
    .map((part) => (part.kind === "session" ? part.id : part.text))
    .join("");
}

/** The team that an event is about; null if it names none. */
export function teamOf({ args }: Pick<LoggedFact, "args">): string | null {
  if (text(args.team) !== "") return text(args.team);
  const address = text(args.pane) || text(args.to) || text(args.from);
  const found = /^(.+):\d+\.\d+$/.exec(address);
  return found?.[1] ?? null;
}

function withSession(uuid: unknown): (Part | string)[] {
  return text(uuid) === "" ? [] : [" in ", session(uuid)];
}

function about(description: unknown): string[] {
  return text(description) === "" ? [] : [`: ${text(description)}`];
}

function movesIn(moves: unknown): string {
  if (!Array.isArray(moves)) return "";
  return moves.map(({ from, to }) => `${text(from)} → ${text(to)}`).join(", ");
}

function rest(args: Args): string {
  return Object.entries(args)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}
