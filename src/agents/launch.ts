// How an agent is started, and what its process arguments say about the start.

import type { SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import type { TeamMember } from "../transcripts/transcript.js";
import type { JobId } from "./agent.js";

/**
 * Which conversation to start an agent with. The caller chooses the id, so the stores are right before the agent
 * writes.
 */
export type SessionStart =
  | { how: "create"; id: SessionId }
  | { how: "resume"; id: SessionId }
  | { how: "fork"; id: SessionId; parent: SessionId };

/** A conversation that a client makes with its own means. */
export interface NewSession {
  /** The conversation that it continues a copy of; null for an empty one. */
  parent: SessionId | null;
  cwd: string;
  /** The client's folder; null for its own choice. */
  folder: string | null;
  /** The name that people see. */
  name: string | null;
  /** Additional arguments of the start. */
  extra: readonly string[];
  env: NodeJS.ProcessEnv;
}

/** Where an agent is about to start. */
export interface StartPlace {
  session: SessionStart;
  cwd: string;
  /** The client's folder; null if it is unknown. */
  folder: string | null;
}

export interface Launch {
  session: SessionStart;
  /** The conversation's name in the client; null leaves it unchanged. */
  name: string | null;
  model?: string | null;
  permissionMode?: string | null;
  /** Takes other agents' words even if it bypasses permissions; else its client asks a person about each. */
  acceptsInbound?: boolean;
  /** The program whose `mcp` serves it hivemind's tools: node and our script. It may call them without asking. */
  mcpServer?: readonly [string, ...string[]] | null;
  extra?: readonly string[];
  /** The first message. */
  prompt?: string | null;
}

export interface SessionArguments {
  /** The session the process began in. */
  began: SessionId | null;
  /** The process was started to create that session, not to resume it. */
  isCreated?: boolean;
  /** The session it was forked from. */
  forkedFrom: SessionId | null;
  /** The managed session it began in, for an agent whose ids are not UUIDs. It belongs to the process's folder. */
  managed?: ManagedId | null;
  model: string | null;
  name: string | null;
  /** The process only shows background conversations: this one first, if it names one. */
  shows?: { job: JobId | null };
  /** It was started with hivemind's tools. */
  hasTools?: boolean;
  /** For a member of an agent team: the session of its lead. */
  parentSession?: SessionId;
  /** The member's name in the records that it writes. */
  member?: TeamMember;
}

/** The facts of a start that can name a model. */
export interface ModelStart {
  args: readonly string[];
  variables: ReadonlyMap<string, string>;
  /** The agent's config folder. */
  folder: string | null;
  cwd: string | null;
  startedAtMs: number;
}

export interface ModelSetup {
  /** From arguments or environment: a short name, perhaps with `[1m]`. It also applies to a resumed session. */
  pinned: string | null;
  /** From settings, for new sessions. */
  usual: string | null;
  /** The large window is switched off. */
  isLargeOff: boolean;
  /** The number of tokens of the window, if one was set. */
  windowTokens: number | null;
}
