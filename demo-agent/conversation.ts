// A conversation as the records of its transcript: written, copied and read back. Pure.
//
// - The first lines have no cwd and no message: titles, mode, permission mode, an empty file history.
// - A fork's copied messages keep their uuid (and `session_id`) under the child's sessionId. A branch's copies also
//   name their origin.
// - The last custom title wins. Only a record whose own type is `custom-title` is one.
// - The context in use is input + cache_creation + cache_read of an answer, and it grows with each message.

import type { SessionId } from "../src/names/gates.js";

export type TranscriptRecord = Record<string, unknown> & { type: string };

export interface Conversation {
  id: SessionId;
  title: string | null;
  /** All message records, including copied ones. */
  messages: readonly TranscriptRecord[];
  usedTokens: number;
  /** A transcript is created with its first message, not when the client starts. */
  isOnDisk: boolean;
}

/** The facts about the writing process that every record has. */
export interface Author {
  cwd: string;
  gitBranch: string;
  version: string;
  /** The id the process began with; null for versions that do not write it. */
  startedAs: SessionId | null;
}

/** System prompt and tools: the cost of an empty conversation. */
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

/** The same messages under a new id, not on disk yet; for a compacted conversation the remaining ones. */
export function forked(parent: Conversation, child: SessionId, title: string | null): Conversation {
  const messages = sinceCompact(parent.messages).map((record) => ({ ...record, sessionId: child }));
  return { ...parent, id: child, title, messages, isOnDisk: false };
}

/** Older versions leave out the compacted part. */
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

/** Whether its last message has no answer. */
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

/** The records before the first message. */
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
  operation: "enqueue" | "dequeue" | "popAll" | "remove",
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
    // The versions that write the id they began with also write the requested model.
    ...(author.startedAs === null ? {} : { session_id: author.startedAs, requestedModel: answer.model }),
    message: {
      id: `msg_${crypto.randomUUID().replaceAll("-", "")}`,
      type: "message",
      role: "assistant",
      // The API's answers do not name the window.
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

export function attachmentRecord(
  to: Conversation,
  author: Author,
  attachment: object,
  facts = {},
): TranscriptRecord {
  return { ...envelope(to, author, "attachment"), attachment, ...facts };
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

/** Earlier tokens are read from the cache, new ones are written to it. */
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

/** The usage of an assistant record; foreign records may lack any part of it. */
export function usageOf(record: TranscriptRecord | undefined): Partial<Usage> | null {
  return (record?.message as { usage?: Partial<Usage> } | undefined)?.usage ?? null;
}

/** The title of an unnamed branch: its first words. */
export function branchTitle({ messages }: Conversation): string {
  const content = messages.map(({ message }) => (message as { content?: unknown } | undefined)?.content);
  const first = content.find((each) => typeof each === "string") ?? "";
  return `${String(first).slice(0, 100)} (Branch)`;
}

/** The compact boundary and summary, the last messages before it, and everything since. */
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

/** From the last answer, unless the conversation was compacted after it. */
function usedTokens(messages: readonly TranscriptRecord[], before: number): number {
  const last = messages.findLast((record) => record.isCompactSummary === true || contextOf(record) > 0);
  return last === undefined ? before : contextOf(last) || baseTokens;
}

/** 0 for sub-agents, and for what the client itself says in place of the model: such a record has no usage. */
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
