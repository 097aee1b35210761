// Questions to another host: a command line, asked by somebody of this host. The answer is what the command says there.
// Commands that decide or change something go by a subject of their own, which the server can refuse to a host.
//
// [QN1] A list says which commands may be asked, and which permission of the other host each needs. The other host
//       reads the same list: it carries out nothing else.

import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { Host } from "../names/gates.js";
import type { Bus } from "../nats/bus.js";
import type { Allowance, Join } from "./join.js";
import { subjects } from "./subjects.js";

export interface Askable {
  /** `act`: it decides or changes something. */
  kind: "ask" | "act";
  /** What the other host must allow; null: every host of the fleet may ask. */
  needs: Allowance | null;
  /** The options that may go with it. `--json` goes with every read. */
  options: readonly string[];
  /** The arguments that may go with it, if not all of its command may. */
  args?: readonly string[];
}

const read = (...options: string[]): Askable => ({ kind: "ask", needs: null, options });
const text = (...options: string[]): Askable => ({ kind: "ask", needs: "text", options });
const decide = (...options: string[]): Askable => ({ kind: "act", needs: "approve", options });
const start = (...options: string[]): Askable => ({ kind: "act", needs: "start", options });

export const askable: Readonly<Record<string, Askable>> = {
  status: read("all"),
  inbox: read("whole"),
  lineage: read("all"),
  history: read("at", "explain"),
  context: read("history"),
  events: read("lines"),
  sessions: read("all", "title"),
  "sessions search": text("all", "limit"),
  resolve: read(),
  "agent process": read("team"),
  "sessions current": read(),
  "sessions state": read(),
  "sessions discover": text("explain"),
  "sessions show": text("all"),
  "sessions export": text("all", "format", "count", "before"),
  "queue list": text("receipts"),
  "agent monitor": text("team"),
  "team monitor": text(),
  approve: decide("always", "rule", "team"),
  reject: decide("team"),
  answer: decide("team"),
  option: decide("team"),
  dismiss: decide("team"),
  hold: start("team"),
  release: start("team"),
  "agent kill": start("team", "yes"),
  "agent restart": start("team", "yes"),
  "agent fork": start("team", "as", "yes"),
  "agent respawn": start("team", "from"),
  "team restart": start("yes"),
  // A saved team by its name: any other argument could be a file.
  restore: { ...start("team", "fork", "dry-run"), args: [] },
  // A team that moves here (link/teams/): no commands, so nobody types them.
  "arrival look": { ...start(), kind: "ask" },
  "arrival missing": { ...start(), kind: "ask" },
  "arrival plan": { ...start(), kind: "ask" },
  "arrival receive": start(),
  "arrival start": start(),
};

export interface FarQuestion {
  /** One question is carried out once. */
  id: string;
  words: string;
  /** By the names of the command's own table. A list for an argument that takes all remaining words. */
  args: Readonly<Record<string, string | readonly string[]>>;
  options: Readonly<Record<string, string | true>>;
  /** Who asks, as the asking host found out. `from` is their terminal. */
  by: { kind: "person" | "agent"; name: string; from: string };
}

export interface FarAnswer {
  exitCode: number;
  /** What `--json` prints; null if it printed lines. */
  value: Record<string, unknown> | null;
  lines: readonly string[];
  notes: readonly string[];
  error: { message: string; hint: string | null } | null;
}

/** Throws `NatsError` if nobody answers. What the other host refuses is an answer. */
export async function askHost(
  bus: Bus,
  { host: own }: Pick<Join, "host">,
  to: Host,
  question: FarQuestion,
  { interrupted, silenceMs = limits.farAnswerMs }: { interrupted?: AbortSignal; silenceMs?: number } = {},
): Promise<FarAnswer> {
  const kind = askable[question.words]?.kind;
  if (kind === undefined) throw new HiveError(`"${question.words}" cannot be asked of another host`);
  const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, ...question }));
  const options = { silenceMs, ...(interrupted === undefined ? {} : { interrupted }) };
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of bus.ask(subjects[kind](to, own), bytes, options)) {
    sizeBytes += piece.length;
    if (sizeBytes > limits.farAnswerBytes) throw new HiveError(`the answer of ${to} is too large`);
    pieces.push(piece);
  }
  const answer = readAnswer(Buffer.concat(pieces));
  if (answer === null)
    throw new HiveError(`${to} answered something that this version of hivemind does not understand`, {
      hint: "compare the versions: hivemind fleet hosts",
    });
  return answer;
}

/** The pieces of an answer. Blanks before it keep the asker waiting. */
export function* answerPieces(answer: FarAnswer): Generator<Uint8Array> {
  const bytes = new TextEncoder().encode(JSON.stringify({ version: 1, ...answer }));
  for (let at = 0; at < bytes.length; at += limits.natsPieceBytes)
    yield bytes.subarray(at, at + limits.natsPieceBytes);
}

export const stillWorking = new TextEncoder().encode(" ");

export function readQuestion(bytes: Uint8Array): FarQuestion | null {
  const value = bytes.length > limits.farQuestionBytes ? null : parsed(bytes);
  if (value === null || value.version !== 1) return null;
  const { id, words, args, options, by } = value;
  if (typeof id !== "string" || !/^[\w-]{8,64}$/.test(id) || typeof words !== "string") return null;
  if (!isRecord(args) || !isRecord(options) || !isRecord(by)) return null;
  const isText = (each: unknown) => typeof each === "string";
  const isArgument = (each: unknown) => isText(each) || (Array.isArray(each) && each.every(isText));
  if (!Object.values(args).every(isArgument)) return null;
  if (!Object.values(options).every((each) => each === true || isText(each))) return null;
  const { kind, name, from } = by;
  if ((kind !== "person" && kind !== "agent") || !isText(name) || !isText(from)) return null;
  return { id, words, args, options, by: { kind, name, from } } as FarQuestion;
}

export function readAnswer(bytes: Uint8Array): FarAnswer | null {
  const value = parsed(bytes);
  if (value === null || value.version !== 1 || typeof value.exitCode !== "number") return null;
  const { exitCode, lines, notes, error } = value;
  const texts = (each: unknown) =>
    Array.isArray(each) ? each.filter((line): line is string => typeof line === "string") : [];
  const message = isRecord(error) && typeof error.message === "string" ? error.message : null;
  const hint = isRecord(error) && typeof error.hint === "string" ? error.hint : null;
  return {
    ...{ exitCode, lines: texts(lines), notes: texts(notes) },
    value: isRecord(value.value) ? value.value : null,
    error: message === null ? null : { message, hint },
  };
}

function parsed(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
