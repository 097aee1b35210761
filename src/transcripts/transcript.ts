// The facts of one transcript, and the interface of a parser that finds them. This folder knows no agent: the parser
// knows what a line means.

import type { SessionId } from "../names/gates.js";
import type { AgentKind } from "../names/kind.js";
import type { Stamp } from "./scan/scan.js";

/** The id of one message. Copies in other transcripts keep it. */
export type MessageId = string;

/** Plain data, cached as it is; null means not seen. */
export interface Facts {
  /** The last title. */
  title: string | null;
  firstCwd: string | null;
  lastCwd: string | null;
  gitBranch: string | null;
  version: string | null;
  /** The model of the last main-chain answer, and the context it used. */
  model: string | null;
  /**
   * The model as the client asked for it: `[1m]` after the name means the large window. Older clients do not have
   * it.
   */
  askedModel: string | null;
  /** The last choice of a model inside the client, as displayed. */
  modelChoice: { shown: string; atMs: number | null } | null;
  usedTokens: number | null;
  usedAtMs: number | null;
  /** Compacted since the last answer: the context in use is unknown until the next one. */
  isCompacted: boolean;
  /** The largest context of any main-chain answer. */
  largestTokens: number;
  /** The size of the window, if the client records it. */
  windowTokens: number | null;
  /** The record without a parent, or else the first one: transcripts that share it are copies of one beginning. */
  rootMessage: MessageId | null;
  /** Whether `rootMessage` has no parent: some versions write an answer before its question. */
  isRooted: boolean;
  /** The last compactions: a copy may begin at one. Empty without a first message. */
  boundaries: MessageId[];
  firstAtMs: number | null;
  lastAtMs: number | null;
  /** The number of user and assistant records. */
  messages: number;
  /** Null before the first message. */
  beginsWithClear: boolean | null;
  /** The origin in the last copied record. Without a message: its client copies no records. */
  forkedFrom: { sessionId: SessionId; message: MessageId | null } | null;
  /** The time of that record: copies keep it. */
  forkPointAtMs: number | null;
  /** Whether all records so far are copies: the copies are at the beginning. */
  isCopying: boolean;
  /** The time of the first record that is not a copy. */
  behindCopiesAtMs: number | null;
  /** The session in which the process that wrote the first answer began. */
  startedAs: SessionId | null;
  /** The same for the last answer, and when it was given. */
  writtenAs: SessionId | null;
  writtenAsAtMs: number | null;
  /** The member of an agent team that wrote it, from its first message. */
  member: TeamMember | null;
  /** How the main chain ends; null before its first message. */
  lastTurn: LastTurn | null;
  /** A sub-agent wrote it: it is no session of its own. */
  isSubAgent: boolean;
}

export interface TeamMember {
  team: string;
  name: string;
}

export interface LastTurn {
  /** The client's own error, an answer of the model, or what a person wrote or ran after both. */
  end: "error" | "answer" | "prompt";
  /** The beginning of the last error or answer; empty if there is none, or it has no text. */
  words: string;
  /** When it was written. */
  atMs: number | null;
}

/** The records with an id of one transcript, in order. */
export interface Chain {
  messages: MessageId[];
  /** Parallel to `messages`; null for a record without a time. */
  timesMs: (number | null)[];
  /**
   * One letter per message: `p` a prompt, `a` an answer or a result, `c` the client in place of either, `n` its
   * notes.
   */
  kinds: string;
}

export interface TranscriptParser {
  /**
   * Must change whenever the same bytes would give other facts: results cached under another name are read again.
   */
  name: string;
  /**
   * Adds the lines in `bytes[from, to)` to the facts of earlier lines. The result does not depend on how the file is
   * split into calls.
   */
  addFacts: AddLines<Facts>;
  /** Absent if copies do not keep the ids of messages: their records name their origin instead. */
  addChain?: AddLines<Chain>;
  /** A program that calls `serveScans` with this parser. If it is not built, one thread does all the work. */
  worker?: URL;
}

export type AddLines<T> = (into: T, bytes: Buffer, from: number, to: number) => void;

export interface Transcript {
  id: SessionId;
  /** Whose format it has. */
  kind: AgentKind;
  /** The client's folder that holds it. */
  folder: string;
  path: string;
  sizeBytes: number;
  modifiedAtMs: number;
  /** Null if the file system has no birth times, or the file is made from a database. */
  bornAtMs: number | null;
  facts: Readonly<Facts>;
  /** The stamp of the file whose facts these are. Absent if nobody took one. */
  stamp?: Stamp;
}

/** A path that could not be read. That is not the same as nothing there. */
export interface Problem {
  path: string;
  message: string;
  /** The time of a file that could not be read, if known. */
  modifiedAtMs?: number;
  /** No transcript is missing because of it. */
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
    windowTokens: null,
    rootMessage: null,
    isRooted: false,
    boundaries: [],
    firstAtMs: null,
    lastAtMs: null,
    messages: 0,
    beginsWithClear: null,
    forkedFrom: null,
    forkPointAtMs: null,
    isCopying: true,
    behindCopiesAtMs: null,
    startedAs: null,
    writtenAs: null,
    writtenAsAtMs: null,
    member: null,
    lastTurn: null,
    isSubAgent: false,
  };
}

export function noChain(): Chain {
  return { messages: [], timesMs: [], kinds: "" };
}
