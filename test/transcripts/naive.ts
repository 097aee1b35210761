// Reads the same facts the slow way: the whole file, every line parsed, one record after the other.

import { readFileSync } from "node:fs";

type Json = Record<string, unknown>;

export interface NaiveFacts {
  title: string | null;
  firstCwd: string | null;
  lastCwd: string | null;
  gitBranch: string | null;
  version: string | null;
  model: string | null;
  askedModel: string | null;
  modelChoice: { shown: string; atMs: number | null } | null;
  usedTokens: number | null;
  usedAtMs: number | null;
  isCompacted: boolean;
  largestTokens: number;
  windowTokens: number | null;
  rootMessage: string | null;
  isRooted: boolean;
  boundaries: string[];
  firstAtMs: number | null;
  lastAtMs: number | null;
  messages: number;
  beginsWithClear: boolean | null;
  forkedFrom: { sessionId: string; message: string } | null;
  forkPointAtMs: number | null;
  behindCopiesAtMs: number | null;
  startedAs: string | null;
  writtenAs: string | null;
  writtenAsAtMs: number | null;
  member: { team: string; name: string } | null;
  lastTurn: { end: string; words: string; atMs: number | null } | null;
  isSubAgent: boolean;
}

/** `isClean` is false if a finished line is not JSON: counts may then differ by that line. */
export function readNaively(path: string): { facts: NaiveFacts; isClean: boolean } {
  const parts = readFileSync(path, "utf8").split("\n");
  const values = parts.map(parsed);
  const isClean = values.every(
    (value, at) => value !== undefined || parts[at] === "" || at === parts.length - 1,
  );
  const records = values.filter(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  );
  return { facts: factsOf(records as Json[]), isClean };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function factsOf(all: Json[]): NaiveFacts {
  const titles = all.filter(
    ({ type, customTitle }) => type === "custom-title" && typeof customTitle === "string",
  );
  const records = all.filter(({ type }) =>
    ["user", "assistant", "system", "attachment"].includes(String(type)),
  );
  const placed = records.filter(({ cwd }) => typeof cwd === "string");
  const times = records
    .map(({ timestamp }) => Date.parse(String(timestamp)))
    .filter((time) => !Number.isNaN(time));
  const talk = records.filter(({ type }) => type === "user" || type === "assistant");
  const answers = records
    .filter(isAnswer)
    .map((record) => ({ record, tokens: tokensOf(record) }))
    .filter(({ tokens }) => tokens > 0);
  const last = answers.at(-1);
  const isCompacted = records.findLastIndex(isBoundary) > (last ? records.indexOf(last.record) : -1);
  const lastTime = isCompacted ? Number.NaN : Date.parse(String(last?.record.timestamp));
  const spoken = talk.find(({ type, isMeta }) => type === "assistant" || isMeta !== true);
  const firstOwn = records.findIndex(({ forkedFrom }) => typeof forkedFrom !== "object");
  const copies = records.slice(0, firstOwn < 0 ? records.length : firstOwn);
  const origin = copies.at(-1)?.forkedFrom as { sessionId: string; messageUuid: string } | undefined;
  const early = records.filter((record) => talk.slice(0, 16).includes(record) || !talk.includes(record));
  const named = early.filter(({ uuid }) => typeof uuid === "string");
  const root = named.find(({ parentUuid }) => (parentUuid ?? null) === null);
  const written = records.findLast((record) => "session_id" in record);
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    title: (titles.at(-1)?.customTitle as string) || null,
    firstCwd: text(placed[0]?.cwd),
    lastCwd: text(placed.at(-1)?.cwd),
    gitBranch: text(placed.at(-1)?.gitBranch),
    version: text(placed.at(-1)?.version),
    model: text((last?.record.message as Json | undefined)?.model),
    askedModel: text(last?.record.requestedModel),
    modelChoice: choiceIn(talk),
    usedTokens: isCompacted ? null : (last?.tokens ?? null),
    usedAtMs: Number.isNaN(lastTime) ? null : lastTime,
    isCompacted,
    windowTokens: null,
    largestTokens: Math.max(0, ...answers.map(({ tokens }) => tokens)),
    rootMessage: text((root ?? named[0])?.uuid),
    isRooted: root !== undefined,
    boundaries: records.filter(isBoundary).flatMap(({ uuid }) => text(uuid) ?? []),
    firstAtMs: times[0] ?? null,
    lastAtMs: times.at(-1) ?? null,
    messages: talk.length,
    beginsWithClear: spoken === undefined ? null : isClear(spoken),
    forkedFrom: origin === undefined ? null : { sessionId: origin.sessionId, message: origin.messageUuid },
    forkPointAtMs: origin === undefined ? null : timeOf(copies.at(-1)!),
    behindCopiesAtMs: firstOwn < 0 ? null : timeOf(records[firstOwn]!),
    startedAs: text(early.find((record) => "session_id" in record)?.session_id),
    writtenAs: text(written?.session_id),
    writtenAsAtMs: written === undefined ? null : timeOf(written),
    member: null,
    lastTurn: lastTurnIn(records),
    isSubAgent: false,
  };
}

function lastTurnIn(records: Json[]): NaiveFacts["lastTurn"] {
  const main = records.filter(({ isSidechain }) => isSidechain !== true);
  const at = main.findLastIndex(({ type }) => type === "assistant");
  const prompts = main
    .slice(at + 1)
    .filter(
      ({ type, subtype, isMeta }) =>
        (type === "user" && isMeta !== true) || (type === "system" && subtype === "local_command"),
    );
  if (at < 0) return prompts.length === 0 ? null : { end: "prompt", words: "", atMs: null };
  const answer = main[at]!;
  const atMs = timeOf(answer);
  const isLater = (prompt: Json) => atMs === null || (timeOf(prompt) ?? atMs) >= atMs;
  const end = answer.isApiErrorMessage === true ? "error" : "answer";
  return { end: prompts.some(isLater) ? "prompt" : end, words: wordsOf(answer), atMs };
}

function wordsOf({ message }: Json): string {
  const content = (message as Json | undefined)?.content;
  const parts = Array.isArray(content) ? content : [{ type: "text", text: content }];
  const text = parts.find((part) => part?.type === "text")?.text;
  return typeof text === "string" ? text.trim().slice(0, 120) : "";
}

function timeOf({ timestamp }: Json): number | null {
  const time = Date.parse(String(timestamp));
  return Number.isNaN(time) ? null : time;
}

function isClear({ type, message }: Json): boolean {
  return type === "user" && (message as Json).content === "<command-name>/clear</command-name>";
}

function choiceIn(talk: Json[]): NaiveFacts["modelChoice"] {
  const output = (record: Json) => String((record.message as Json | undefined)?.content);
  const last = talk.findLast(
    (record) => record.type === "user" && output(record).startsWith("<local-command-stdout>Set model to "),
  );
  if (last === undefined) return null;
  const atMs = Date.parse(String(last.timestamp));
  const [, shown] = /Set model to (.*?)(?: and saved .*)?<\/local/.exec(output(last))!;
  return { shown: shown!, atMs: Number.isNaN(atMs) ? null : atMs };
}

function isBoundary({ type, subtype }: Json): boolean {
  return type === "system" && subtype === "compact_boundary";
}

function isAnswer({ type, isSidechain, message }: Json): boolean {
  const { model, usage } = (message ?? {}) as Json;
  return type === "assistant" && isSidechain !== true && typeof usage === "object" && model !== "<synthetic>";
}

function tokensOf({ message }: Json): number {
  const { usage } = message as { usage: Record<string, number> };
  return (
    (usage.input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0)
  );
}
