// What differs between agents. Everything above this folder knows agents only through this interface.

import type { SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import type { ProcessInfo } from "../processes/process.js";
import type { TranscriptParser } from "../transcripts/transcript.js";

/** What runs in a pane. A shell is every pane that runs no agent; a monitor runs the viewer. */
export type Kind = "claude" | "claw" | "demo" | "shell" | "monitor";

export interface Agent {
  kind: Kind;
  /** Whether its sessions are named by UUIDs: only those have a place in the stores. */
  hasUuids: boolean;
  /** Whether this process is the agent itself (not something the agent runs). */
  recognises(process: ProcessInfo): boolean;
  /** The folder this very process keeps its files in; `ownFolder` is the one its environment names, if any. */
  folderOf(ownFolder: string | null, env: NodeJS.ProcessEnv): string | null;
  /** What the agent itself says of a running process: its live registry. */
  liveSession(folder: string, process: ProcessInfo): LiveSession | null;
  /** The processes its live registry has a file of, living or not. */
  registeredPids(folder: string): number[];
  /** The words that start it, without arguments; a program that is not there is an error that says how to get it. */
  program(env: NodeJS.ProcessEnv): string[];
  /** The arguments for a start: `argumentsOf` reads the same session back from them. */
  launch(launch: Launch): string[];
  /** What its process arguments say. */
  argumentsOf(argv: readonly string[]): SessionArguments;
  /** The session's name as the pane's title has it, or null when it names none. */
  nameInTitle(title: string): string | null;
  transcripts: TranscriptParser;
  /** The input box, from every line of the visible screen with its colours. */
  readBox(lines: readonly string[]): Box;
  /** What it is doing, from the same lines; null where they do not tell. */
  readActivity(lines: readonly string[], nowMs: number): SeenActivity | null;
  /** What its status dialog shows, if that is what stands on the screen. */
  readStatus(lines: readonly string[]): ShownStatus | null;
}

/** Which conversation an agent is started with. The id is chosen before, so that stores are right before it says a word. */
export type SessionStart =
  | { how: "create"; id: SessionId }
  | { how: "resume"; id: SessionId }
  | { how: "fork"; id: SessionId; parent: SessionId };

export interface Launch {
  session: SessionStart;
  /** What the conversation is called in the client; null leaves it as it is. */
  name: string | null;
  model?: string | null;
  permissionMode?: string | null;
  /** A file, or JSON. */
  settings?: string | null;
  extra?: readonly string[];
  /** The first thing it is told. */
  prompt?: string | null;
}

/** Activities an agent reports of itself. */
export type ReportedActivity = "idle" | "busy" | "waiting";

/** What a screen tells of an agent: the last three nothing else does. */
export interface SeenActivity {
  activity: ReportedActivity | "limited" | "error" | "context-low";
  /** The question it waits with, the limit it hit, the error it shows. */
  about: string | null;
  /** When a limit ends, as far as it says so. */
  untilMs: number | null;
  /** In words: what on the screen told. */
  by: string;
}

export interface LiveSession {
  sessionId: SessionId;
  /** Null when nobody gave it one: what the client makes up of the folder's name is no name. */
  name: string | null;
  /** The client put words of its own behind the name, because another live session has it. */
  isNameSuffixed: boolean;
  cwd: string | null;
  version: string | null;
  activity: ReportedActivity | null;
  /** Busy with a command in the background alone: its input box takes messages meanwhile. */
  isInBackground?: boolean;
  waitingFor: string | null;
  updatedAtMs: number | null;
  /** When the client began, where it says so. */
  startedAtMs?: number;
}

export interface SessionArguments {
  /** The session the process began in. */
  began: SessionId | null;
  /** The session it was forked from. */
  forkedFrom: SessionId | null;
  /** The managed session it began in, of an agent whose ids are no UUIDs. It is one of the process's own folder. */
  managed?: ManagedId | null;
  model: string | null;
  name: string | null;
}

/** `none`: no box is seen, so nothing may be typed. */
export type Box =
  | { kind: "empty" }
  | { kind: "suggestion"; text: string }
  | { kind: "draft"; text: string }
  | Dialog
  | { kind: "none" };

export interface Dialog {
  kind: "dialog";
  question: string | null;
  options: DialogOption[];
  /** The visible rows of the dialog, for a person. */
  rows?: readonly string[];
  /** Absent for a dialog that no rule knows. */
  known?: KnownDialog;
}

export interface KnownDialog {
  /** In words, behind "asks": "whether you trust /srv/x". */
  asks: string;
  /** Escape closes it while a conversation runs, and the agent stays. Elsewhere Escape may end the agent. */
  isClosedByEscape: boolean;
}

export interface DialogOption {
  /** As it stands before the option. In a list without numbers: its place in the list; 0 for a button below one. */
  number: number;
  label: string;
  /** Enter would choose this one. */
  isAtCursor: boolean;
  /** A text field with the text cursor in it: a key would be typed. */
  isTextField?: boolean;
}

/** What a status dialog shows of its session. */
export interface ShownStatus {
  /** The session's id, or its beginning where the pane is too narrow for all of it. */
  id: string | null;
  name: string | null;
}
