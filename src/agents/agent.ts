// What differs between agents. Everything above this folder knows agents only through this interface.

import type { PaneId, SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import type { ProcessInfo } from "../processes/process.js";
import type { LastTurn, TeamMember, TranscriptParser } from "../transcripts/transcript.js";

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
  /** What the registry file says that a process left behind when it was killed. */
  leftSession(folder: string, process: EndedProcess): SessionId | null;
  /** Conversations that it runs in the background, by their own files; their processes may have ended. */
  jobs(folder: string): Job[];
  /** The words that start it, without arguments; a program that is not there is an error that says how to get it. */
  program(env: NodeJS.ProcessEnv): string[];
  /** The arguments for a start: `argumentsOf` reads the same session back from them. */
  launch(launch: Launch): string[];
  /** What its process arguments say. */
  argumentsOf(argv: readonly string[]): SessionArguments;
  /** Which variables of its process say what model it was started with, and what they and its settings say. */
  modelVariables?: readonly string[];
  modelSetup?(start: ModelStart): ModelSetup;
  /** The session's name as the pane's title has it, or null when it names none. */
  nameInTitle(title: string): string | null;
  transcripts: TranscriptParser;
  /** The input box, from every line of the visible screen with its colours. */
  readBox(lines: readonly string[]): Box;
  /** What is pasted into its box so that this text arrives as what it is. */
  shapeText(text: string, size: BoxSize): Shaped;
  /** How a draft in its box shows that text; null where it shows something else, or more. */
  shownAs(draft: string, text: string): "whole" | "part" | null;
  /** Whether a draft has that text in it, and more. */
  holdsMore(draft: string, text: string): boolean;
  /** Why Enter would make something else of this draft than its text says, or null. */
  whyNotEntered(draft: Draft, message: ShapedText): string | null;
  /**
   * What it is doing, from the same lines (null where nobody looked) and how its conversation ends; null where neither
   * tells.
   */
  readActivity(lines: readonly string[] | null, nowMs: number, turn?: LastTurn | null): SeenActivity | null;
  /** What its status dialog shows, if that is what stands on the screen. */
  readStatus(lines: readonly string[]): ShownStatus | null;
  /** What its last words say of its conversation, from the rows of a pane in which it ended. */
  readLastWords(rows: readonly string[]): LastWords | null;
  /** Whether a pane's title says that it shows the list of conversations, in none of which typed words would land. */
  isListTitle(title: string): boolean;
}

/** How an ended agent says its conversation is resumed: by its id, or by its title. */
export interface LastWords {
  session: SessionId | null;
  title: string | null;
}

/** The process of a pane that has ended. */
export interface EndedProcess {
  pid: number;
  pane: PaneId;
  endedAtMs: number;
}

/** The client's own name for a conversation in the background: eight hex digits. */
export type JobId = string;

export interface Job {
  id: JobId;
  session: SessionId;
  /** The conversation it was forked from. */
  parent: SessionId | null;
  name: string | null;
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

/** What a screen or a failed turn tells of an agent. Unknown: its screen shows no input box, and `about` says what. */
export interface SeenActivity {
  activity: ReportedActivity | "limited" | "error" | "context-low" | "unknown";
  /** The question it waits with, the limit it hit, the error it shows, the view that is open. */
  about: string | null;
  /** When a limit ends, as far as it says so. */
  untilMs: number | null;
  /** In words: what told. */
  by: string;
  /** Where the screen did not tell it. */
  source?: "transcript";
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
  /** Runs in the background, without a terminal of its own. */
  job?: JobId;
  /** A process that the client keeps ready: nobody's conversation. */
  isSpare?: boolean;
  /** Answers once and ends (`-p`): a tool that somebody runs, no agent to talk to. */
  isTool?: boolean;
  /** The conversation of this process went on in that job. The pane shows jobs, or their list, from then on. */
  parkedJob?: JobId;
  /** The pane in which it was started, by its id alone: the file does not name the tmux server. */
  startPane?: PaneId;
  /** Why the session is believed, where it is not simply the registry's word. */
  reason?: string;
}

export interface SessionArguments {
  /** The session the process began in. */
  began: SessionId | null;
  /** It was started to create that session, not to resume it. */
  isCreated?: boolean;
  /** The session it was forked from. */
  forkedFrom: SessionId | null;
  /** The managed session it began in, of an agent whose ids are no UUIDs. It is one of the process's own folder. */
  managed?: ManagedId | null;
  model: string | null;
  name: string | null;
  /** The process only shows conversations that run in the background: this one first, if it names one. */
  shows?: { job: JobId | null };
  /** Of a member of an agent team: the session of the agent that leads it. */
  parentSession?: SessionId;
  /** What the records that it writes call it. */
  member?: TeamMember;
}

/** What is known of a start, as far as it can name a model. */
export interface ModelStart {
  args: readonly string[];
  variables: ReadonlyMap<string, string>;
  /** The agent's config folder. */
  folder: string | null;
  cwd: string | null;
  startedAtMs: number;
}

export interface ModelSetup {
  /** As arguments or environment name it: a short name, `[1m]` behind it. It holds for a resumed session too. */
  pinned: string | null;
  /** As settings name it, for sessions that begin anew. */
  usual: string | null;
  /** The large window is switched off. */
  isLargeOff: boolean;
  /** A window of so many tokens was asked for. */
  windowTokens: number | null;
}

/** The pane around an input box. */
export interface BoxSize {
  columns: number;
  rows: number;
}

/** A command is obeyed by the client itself; all else is words for its model. */
export interface ShapedText {
  text: string;
  isCommand: boolean;
}

export type Shaped = ShapedText | { refused: string };

/** `none`: no box is seen, so nothing may be typed. */
export type Box =
  | { kind: "empty" }
  | { kind: "suggestion"; text: string }
  | Draft
  | Dialog
  | { kind: "none" };

export interface Draft {
  kind: "draft";
  text: string;
  /** Of a slash command: whether the client marks its name as one that it knows; absent where it marks nothing. */
  isKnownCommand?: boolean;
}

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
