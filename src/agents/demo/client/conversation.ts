// A conversation as the records of its transcript. Pure: what is written, copied and read back.
//
// [DC1] The first lines carry no cwd and no message: titles, mode, permission mode, an empty file history.
// [DC2] A fork's copied messages keep their own uuid (and `session_id`) under the child's sessionId; a branch's
//       also say where each came from.
// [DC3] The last custom title wins, and only a record whose own type is `custom-title` is one.
// [DC4] input + cache_creation + cache_read of an answer is the context in use, and it grows by what was said.

import type { SessionId } from "../../../names/gates.js";

export type TranscriptRecord = Record<string, unknown> & { type: string };

export interface Conversation {
  id: SessionId;
  title: string | null;
  /** The message records so far, copied ones included. */
  messages: readonly TranscriptRecord[];
  usedTokens: number;
  /** A transcript is born with its first message, not when the client starts. */
  isOnDisk: boolean;
}

/** What every record says about the process that writes it. */
export interface Author {
  cwd: string;
  gitBranch: string;
  version: string;
  /** The id the process started with; null for versions that do not write it down. */
  startedAs: SessionId | null;
}

/** System prompt and tools: what even an empty conversation costs. */
const baseTokens = 12_000;

export function newConversation(id: SessionId, title: string | null): Conversation {
  return { id, title, messages: [], usedTokens: baseTokens, isOnDisk: false };
}

export function readConversation(id: SessionId, records: readonly TranscriptRecord[]): Conversation {
  const messages = records.filter((record) => messageTypes.has(record.type));
  const title = records.findLast((record) => record.type === "custom-title")?.customTitle;
  return {
    id,
    title: typeof title === "string" ? title : null,
    messages,
    usedTokens: usedTokens(messages, baseTokens),
    isOnDisk: true,
  };
}

/** The same words under a new id, not on disk yet; of a compacted conversation what is left of it. */
export function forked(parent: Conversation, child: SessionId, title: string | null): Conversation {
  const messages = sinceCompact(parent.messages).map((record) => ({ ...record, sessionId: child }));
  return { ...parent, id: child, title, messages, isOnDisk: false };
}

/** Older versions leave out what was compacted. */
export function branched(
  parent: Conversation,
  child: SessionId,
  title: string,
  isWhole: boolean,
): Conversation {
  const copied = isWhole ? parent.messages : sinceCompact(parent.messages);
  const messages = copied.map((record) => ({
    ...record,
    sessionId: child,
    forkedFrom: { sessionId: parent.id, messageUuid: record.uuid },
  }));
  return { ...parent, id: child, title, messages, isOnDisk: false };
}

/** Whether its last word was never answered. */
export function endsOpen({ messages }: Conversation): boolean {
  return messages.findLast(({ type }) => type === "user" || type === "assistant")?.type === "user";
}

export function withMessages(conversation: Conversation, records: readonly TranscriptRecord[]): Conversation {
  const messages = records.filter((record) => messageTypes.has(record.type));
  return {
    ...conversation,
    messages: [...conversation.messages, ...messages],
    usedTokens: usedTokens(messages, conversation.usedTokens),
  };
}

/** What stands in front of the first message when the transcript is born. */
export function headRecords(conversation: Conversation, permissionMode: string): TranscriptRecord[] {
  const sessionId = conversation.id;
  const messageId = crypto.randomUUID();
  const timestamp = new Date().toISOString();
  return [
    ...(conversation.title === null ? [] : titleRecords(sessionId, conversation.title)),
    { type: "mode", mode: "normal", sessionId },
    { type: "permission-mode", permissionMode, sessionId },
    {
      type: "file-history-snapshot",
      messageId,
      snapshot: { messageId, trackedFileBackups: {}, timestamp },
      isSnapshotUpdate: false,
    },
  ];
}

export function titleRecords(sessionId: SessionId, title: string): TranscriptRecord[] {
  return [
    { type: "custom-title", customTitle: title, sessionId },
    { type: "agent-name", agentName: title, sessionId },
  ];
}

export function queueRecord(
  { id }: Conversation,
  operation: "enqueue" | "dequeue" | "popAll",
  content?: string,
): TranscriptRecord {
  const timestamp = new Date().toISOString();
  return {
    type: "queue-operation",
    operation,
    timestamp,
    sessionId: id,
    ...(content === undefined ? {} : { content }),
  };
}

export function userRecord(to: Conversation, author: Author, content: unknown, facts = {}): TranscriptRecord {
  return { ...envelope(to, author, "user"), message: { role: "user", content }, ...facts };
}

export interface Answer {
  model: string;
  content: readonly Record<string, unknown>[];
  usage: Usage;
}

export function answerRecord(to: Conversation, author: Author, answer: Answer, facts = {}): TranscriptRecord {
  return {
    ...envelope(to, author, "assistant"),
    // The versions that write down what they began as also write down the model as it was asked for.
    ...(author.startedAs === null ? {} : { session_id: author.startedAs, requestedModel: answer.model }),
    message: {
      id: `msg_${crypto.randomUUID().replaceAll("-", "")}`,
      type: "message",
      role: "assistant",
      // What the API answers does not spell out the window.
      model: answer.model.replace(/\[1m\]$/, ""),
      content: answer.content,
      stop_reason: answer.content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
      stop_sequence: null,
      usage: answer.usage,
    },
    ...facts,
  };
}

export function systemRecord(
  to: Conversation,
  author: Author,
  subtype: string,
  facts = {},
): TranscriptRecord {
  return { ...envelope(to, author, "system"), subtype, isMeta: false, ...facts };
}

export interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

export const noUsage: Usage = {
  input_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 0,
};

/** What was there is read from the cache, what was said since is written to it. */
export function usageAfter(usedTokens: number, prompt: string, answer: string, setTo: number | null): Usage {
  const input = 4;
  const total = Math.max(input, setTo ?? usedTokens + tokensOf(prompt) + input);
  const read = Math.min(usedTokens, total - input);
  return {
    input_tokens: input,
    cache_creation_input_tokens: total - input - read,
    cache_read_input_tokens: read,
    output_tokens: tokensOf(answer),
  };
}

/** What an assistant record says about its cost; foreign records may lack any part of it. */
export function usageOf(record: TranscriptRecord | undefined): Partial<Usage> | null {
  return (record?.message as { usage?: Partial<Usage> } | undefined)?.usage ?? null;
}

/** What a branch is called that nobody named: by the first words in it. */
export function branchTitle({ messages }: Conversation): string {
  const content = messages.map(({ message }) => (message as { content?: unknown } | undefined)?.content);
  const first = content.find((each) => typeof each === "string") ?? "";
  return `${String(first).slice(0, 100)} (Branch)`;
}

/** What follows a compact: its boundary and summary, the last words before it, and all that came since. */
function sinceCompact(messages: readonly TranscriptRecord[]): readonly TranscriptRecord[] {
  const boundary = messages.findLastIndex(({ subtype }) => subtype === "compact_boundary");
  if (boundary < 0) return messages;
  const kept = messages.slice(0, boundary).findLastIndex(({ type }) => type === "assistant");
  const tail = kept < 0 ? [] : messages.slice(kept, boundary);
  return [...messages.slice(boundary, boundary + 2), ...tail, ...messages.slice(boundary + 2)];
}

const messageTypes = new Set(["user", "assistant", "system", "attachment"]);

function envelope(to: Conversation, author: Author, type: string): TranscriptRecord {
  return {
    parentUuid: to.messages.at(-1)?.uuid ?? null,
    isSidechain: false,
    userType: "external",
    cwd: author.cwd,
    sessionId: to.id,
    version: author.version,
    gitBranch: author.gitBranch,
    type,
    uuid: crypto.randomUUID(),
    timestamp: new Date().toISOString(),
  };
}

/** The last answer tells, unless the conversation was compacted behind it. */
function usedTokens(messages: readonly TranscriptRecord[], before: number): number {
  const last = messages.findLast((record) => record.isCompactSummary === true || contextOf(record) > 0);
  return last === undefined ? before : contextOf(last) || baseTokens;
}

/** 0 for sub-agents, and for what the client itself says in the model's place: such a record has no usage. */
function contextOf(record: TranscriptRecord): number {
  if (record.isSidechain === true) return 0;
  const {
    input_tokens = 0,
    cache_creation_input_tokens = 0,
    cache_read_input_tokens = 0,
  } = usageOf(record) ?? {};
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / 4);
}
