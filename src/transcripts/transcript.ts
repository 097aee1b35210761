// What is known of one transcript, and what a parser must do to find it out. This folder knows no agent: which
// line says what is the parser's.

import type { SessionId } from "../names/gates.js";

/** The name of one message. Copies of it in other transcripts keep it. */
export type MessageId = string;

/** Plain data, null where nothing was seen: it goes into the cache as it is. */
export interface Facts {
  /** The last title given. */
  title: string | null;
  firstCwd: string | null;
  lastCwd: string | null;
  gitBranch: string | null;
  version: string | null;
  /** Of the last main-chain answer, with what it used of the context window. */
  model: string | null;
  /** The same as the client asked for it: `[1m]` behind the name says the large window. Older clients do not say it. */
  askedModel: string | null;
  /** The last choice of a model inside the client, as it was shown. */
  modelChoice: { shown: string; atMs: number | null } | null;
  usedTokens: number | null;
  usedAtMs: number | null;
  /** Compacted since the last answer: nobody knows how much is used until the next one. */
  isCompacted: boolean;
  /** The most any main-chain answer used. */
  largestTokens: number;
  /** The record that has no parent, else the first one: transcripts that share it are copies of one beginning. */
  rootMessage: MessageId | null;
  /** Whether `rootMessage` has no parent: some versions write an answer before its question. */
  isRooted: boolean;
  /** Where it was compacted, the last places: a copy may begin there instead. Empty without a first message. */
  boundaries: MessageId[];
  firstAtMs: number | null;
  lastAtMs: number | null;
  /** User and assistant records. */
  messages: number;
  /** Null until the first message is there. */
  beginsWithClear: boolean | null;
  /** What the last copied record says of its origin. */
  forkedFrom: { sessionId: SessionId; message: MessageId } | null;
  /** Whether the records read so far are all copies: the run of copies stands at the beginning. */
  isCopying: boolean;
  /** The time of the first record that is no copy. */
  behindCopiesAtMs: number | null;
  /** The session that the process which wrote the first answer had begun with. */
  startedAs: SessionId | null;
  /** The same of the last answer, and when it was given. */
  writtenAs: SessionId | null;
  writtenAsAtMs: number | null;
  /** Written by a member of an agent team, as its first message says. */
  member: TeamMember | null;
  /** How the main chain ends; null before its first message. */
  lastTurn: LastTurn | null;
}

export interface TeamMember {
  team: string;
  name: string;
}

export interface LastTurn {
  /** The client's own error, an answer of the model, or what a person said or ran behind both. */
  end: "error" | "answer" | "prompt";
  /** How the last error or answer begins; empty where there is none, or it has no text. */
  words: string;
  /** When that was written. */
  atMs: number | null;
}

/** The records of one transcript that have an id, in its order. */
export interface Chain {
  messages: MessageId[];
  /** Beside `messages`; null where the record has no time. */
  timesMs: (number | null)[];
  /** One letter for each: `p` a prompt, `a` an answer or a result, `c` what the client says for either, `n` its notes. */
  kinds: string;
}

export interface TranscriptParser {
  /** Changes whenever the same bytes would give other facts: what is cached under another name is read again. */
  name: string;
  /** Folds the lines in `bytes[from, to)` into what earlier lines gave. However a file is cut at line ends into calls, the outcome is the same. */
  addFacts: AddLines<Facts>;
  addChain: AddLines<Chain>;
  /** A program that calls `serveScans` with this parser. Where it is not built, one thread does all. */
  worker?: URL;
}

export type AddLines<T> = (into: T, bytes: Buffer, from: number, to: number) => void;

export interface Transcript {
  id: SessionId;
  path: string;
  sizeBytes: number;
  modifiedAtMs: number;
  /** Null where the file system keeps no birth time. */
  bornAtMs: number | null;
  facts: Readonly<Facts>;
}

/** Something that could not be looked at. It is not "nothing there". */
export interface Problem {
  path: string;
  message: string;
  /** Of a file that could not be read, where its time could. */
  modifiedAtMs?: number;
  /** No transcript is missed by it. */
  isAside?: true;
}

export function noFacts(): Facts {
  return {
    title: null,
    firstCwd: null,
    lastCwd: null,
    gitBranch: null,
    version: null,
    model: null,
    askedModel: null,
    modelChoice: null,
    usedTokens: null,
    usedAtMs: null,
    isCompacted: false,
    largestTokens: 0,
    rootMessage: null,
    isRooted: false,
    boundaries: [],
    firstAtMs: null,
    lastAtMs: null,
    messages: 0,
    beginsWithClear: null,
    forkedFrom: null,
    isCopying: true,
    behindCopiesAtMs: null,
    startedAs: null,
    writtenAs: null,
    writtenAsAtMs: null,
    member: null,
    lastTurn: null,
  };
}

export function noChain(): Chain {
  return { messages: [], timesMs: [], kinds: "" };
}
