// The interface of an agent. Code above this folder knows agents only through it.

import type { PaneId, SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import type { ProcessInfo } from "../processes/process.js";
import type { LastTurn, TeamMember, TranscriptParser } from "../transcripts/transcript.js";
import type { RequestForms } from "./asked.js";
import type { MessageRecords } from "./message-records.js";

/** What runs in a pane. A shell is every pane that runs no agent; a monitor runs the viewer. */
export type Kind = "claude" | "claw" | "demo" | "shell" | "monitor";

export interface Agent {
  kind: Kind;
  /** Whether its session ids are UUIDs. The stores hold only such sessions. */
  hasUuids: boolean;
  /** Whether this process is the agent itself (not something the agent runs). */
  recognises(process: ProcessInfo): boolean;
  /** The config folder of this process; `ownFolder` is the one that its environment names, if any. */
  folderOf(ownFolder: string | null, env: NodeJS.ProcessEnv): string | null;
  /** What the agent's own live registry says about a running process. */
  liveSession(folder: string, process: ProcessInfo): LiveSession | null;
  /** The pids that its live registry has a file for; the processes may have ended. */
  registeredPids(folder: string): number[];
  /** The session in the registry file that a killed process left behind. */
  leftSession(folder: string, process: EndedProcess): SessionId | null;
  /** Its background conversations, read from its own files; their processes may have ended. */
  jobs(folder: string): Job[];
  /**
   * The command that starts it, without arguments. Throws an error with an install hint if the program is missing.
   */
  program(env: NodeJS.ProcessEnv): string[];
  /** The arguments for a start; `argumentsOf` reads the same session back from them. */
  launch(launch: Launch): string[];
  /** What its process arguments say about the session. */
  argumentsOf(argv: readonly string[]): SessionArguments;
  /** The environment variables that choose its model. */
  modelVariables?: readonly string[];
  /** The model it was started with, from arguments, variables and settings. */
  modelSetup?(start: ModelStart): ModelSetup;
  /** The session name in the pane's title, or null if there is none. */
  nameInTitle(title: string): string | null;
  transcripts: TranscriptParser;
  /** Reads the input box from all lines of the visible screen, with colours. */
  readBox(lines: readonly string[]): Box;
  /** The text to paste into its box so that the message arrives unchanged in meaning. */
  shapeText(text: string, size: BoxSize): Shaped;
  /** The ways into it, the preferred one first. */
  doors: readonly DoorName[];
  /** Takes messages at any moment, if its client offers an inbox. */
  inbox?: Inbox;
  /** What its conversation shows about a message. */
  messages: MessageRecords;
  /** What its client asks a person, and how the client takes an answer; absent if it hands no requests over. */
  requests?: RequestForms;
  /** Whether its client runs, remembers or sends off this line instead of reading it. */
  obeys(text: string): boolean;
  /** How a draft in its box shows the text; null if the draft is different or has more. */
  shownAs(draft: string, text: string): "whole" | "part" | null;
  /** Whether a draft contains the text and something else. */
  holdsMore(draft: string, text: string): boolean;
  /** Why Enter would not send this draft as written, or null. */
  whyNotEntered(draft: Draft, message: ShapedText): string | null;
  /**
   * What it is doing, from the screen lines (null if the screen was not captured) and the last turn of its
   * conversation; null if neither says.
   */
  readActivity(lines: readonly string[] | null, nowMs: number, turn?: LastTurn | null): SeenActivity | null;
  /** The contents of its status dialog, if that is on the screen. */
  readStatus(lines: readonly string[]): ShownStatus | null;
  /** What it printed about its conversation when it ended, from the rows of its pane. */
  readLastWords(rows: readonly string[]): LastWords | null;
  /**
   * Whether a pane's title says that it shows the list of conversations. Text typed there would reach none of them.
   */
  isListTitle(title: string): boolean;
  /** Whether the title means the conversation that its client moved to the background, which has no name. */
  isMovedTitle(title: string): boolean;
}

/** A named way into a running agent: its own inbox, or its keyboard. */
export type DoorName = "inbox" | "keys";

/** A message in an inbox hits no draft, no dialog and no other conversation. */
export interface Inbox {
  /** Hands one message to the client. Written means: the client can read it. Only its records prove more. */
  post(place: InboxPlace, letter: Letter): Promise<Posted>;
  /** The text that the client records when it enqueues the letter. */
  contentOf(letter: Letter): string;
  /** How many messages of one sender it takes at once, and how often one more. */
  pace: Pace;
}

export interface Pace {
  burst: number;
  everyMs: number;
}

/** Where a running client takes messages. */
export interface InboxPlace {
  path: string;
  pid: number;
}

export interface Letter {
  /** The message's own id. */
  id: string;
  /** The client drops a letter for any other conversation. */
  session: SessionId;
  /** The sender's name. */
  from: string;
  text: string;
}

/** Not written: the client has not got the message. */
export type Posted = { isWritten: true } | { isWritten: false; why: string };

/** How an ended agent says to resume its conversation: by id or by title. */
export interface LastWords {
  session: SessionId | null;
  title: string | null;
}

/** The ended process of a pane. */
export interface EndedProcess {
  pid: number;
  pane: PaneId;
  endedAtMs: number;
}

/** The client's own id for a background conversation: eight hex digits. */
export type JobId = string;

export interface Job {
  id: JobId;
  session: SessionId;
  /** The conversation it was forked from. */
  parent: SessionId | null;
  name: string | null;
}

/**
 * Which conversation to start an agent with. The caller chooses the id, so the stores are right before the agent
 * writes.
 */
export type SessionStart =
  | { how: "create"; id: SessionId }
  | { how: "resume"; id: SessionId }
  | { how: "fork"; id: SessionId; parent: SessionId };

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

/** Activities that an agent reports about itself. */
export type ReportedActivity = "idle" | "busy" | "waiting";

/**
 * An agent's activity, from its screen or a failed turn. Unknown: the screen shows no input box; `about` says what
 * it shows.
 */
export interface SeenActivity {
  activity: ReportedActivity | "limited" | "error" | "context-low" | "unknown";
  /** The question it asks, the limit it hit, the error it shows, or the view that is open. */
  about: string | null;
  /** When a limit ends, if the client says so. */
  untilMs: number | null;
  /** The evidence, in words. */
  by: string;
  /** Set if the evidence is not the screen. */
  source?: "transcript";
}

export interface LiveSession {
  sessionId: SessionId;
  /** Null if it has none. A name that the client derives from the folder is not a name. */
  name: string | null;
  /** The client added a suffix to the name because another live session has it. */
  isNameSuffixed: boolean;
  cwd: string | null;
  version: string | null;
  activity: ReportedActivity | null;
  /** Busy only with a background command: its input box still takes messages. */
  isInBackground?: boolean;
  waitingFor: string | null;
  updatedAtMs: number | null;
  /** Since when it reports this activity, if it says so. */
  activitySinceMs?: number;
  /** When the client started, if it says so. */
  startedAtMs?: number;
  /** It runs in the background, without a terminal. */
  job?: JobId;
  /** A process that the client keeps ready; it has no conversation. */
  isSpare?: boolean;
  /** It answers once and ends (`-p`): a tool, not an agent to talk to. */
  isTool?: boolean;
  /** The conversation of this process moved to that job. The pane shows jobs, or the list of jobs, from then on. */
  parkedJob?: JobId;
  /** The pane it was started in. Only the id: the file does not name the tmux server. */
  startPane?: PaneId;
  /** Where it takes messages, if it offers an inbox. */
  inbox?: InboxPlace;
  /** Why the session is believed, if the registry is not the only evidence. */
  reason?: string;
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

/** The pane around an input box. */
export interface BoxSize {
  columns: number;
  rows: number;
}

/** The client itself runs a command; any other text goes to its model. */
export interface ShapedText {
  text: string;
  isCommand: boolean;
}

export type Shaped = ShapedText | { refused: string };

/** `none`: no box is visible, so nothing may be typed. */
export type Box =
  | { kind: "empty" }
  | { kind: "suggestion"; text: string }
  | Draft
  | Dialog
  | { kind: "none" };

export interface Draft {
  kind: "draft";
  text: string;
  /** For a slash command: whether the client marks its name as known. Absent if it marks nothing. */
  isKnownCommand?: boolean;
}

export interface Dialog {
  kind: "dialog";
  question: string | null;
  options: DialogOption[];
  /** The visible rows of the dialog. */
  rows?: readonly string[];
  /** Absent for an unknown dialog. */
  known?: KnownDialog;
}

export interface KnownDialog {
  /** The words after "asks": "whether you trust /srv/x". */
  asks: string;
  /** Escape closes it and the agent keeps running. In any other dialog Escape may end the agent. */
  isClosedByEscape: boolean;
}

export interface DialogOption {
  /** The number before the option. In a list without numbers: its position; 0 for a button below the list. */
  number: number;
  label: string;
  /** Enter would choose this option. */
  isAtCursor: boolean;
  /** A text field with the text cursor in it: a key would be typed into it. */
  isTextField?: boolean;
}

/** The session that a status dialog shows. */
export interface ShownStatus {
  /** The session's id, or its beginning if the pane is too narrow. */
  id: string | null;
  name: string | null;
}
