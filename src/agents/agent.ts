// The interface of an agent. Code above this folder knows agents only through it.

import type { ProcessInfo } from "../base/system/process.js";
import type { PaneId, SessionId } from "../names/gates.js";
import type { AgentKind } from "../names/kind.js";
import type { TranscriptFormat } from "../transcripts/find.js";
import type { LastTurn } from "../transcripts/transcript.js";
import type { Ability, Lack } from "./abilities.js";
import type { RequestForms } from "./asked.js";
import type { Box, BoxSize, Draft, Shaped, ShapedText } from "./box.js";
import type { Launch, ModelSetup, ModelStart, NewSession, SessionArguments, StartPlace } from "./launch.js";
import type { MessageRecords } from "./message-records.js";
import type { SpokenLines } from "./utterance.js";

/**
 * One kind of agent. What a kind cannot do is absent: no member pretends. `abilities.ts` says the same in words.
 */
export interface Agent {
  kind: AgentKind;
  /** Whether this process is the agent itself (not something the agent runs). */
  recognises(process: ProcessInfo): boolean;
  /**
   * The command that starts it, without arguments. Throws an error with an install hint if the program is missing.
   */
  program(env: NodeJS.ProcessEnv): string[];
  /** What its process arguments say about the session. */
  argumentsOf(argv: readonly string[]): SessionArguments;
  /** Where its client keeps its files. */
  home?: Home;
  /** What its client reports about its running processes. */
  registry?: Registry;
  /** How hivemind starts it. */
  start?: Start;
  /** How its processes end, if a signal to its own process is not enough. */
  ending?: Ending;
  /** What the title of its pane says. */
  titles?: Titles;
  /** Its conversations on disk. */
  transcripts?: TranscriptFormat;
  /** The words in its conversations. */
  spoken?: SpokenLines;
  /** What its conversation shows about a message. */
  messages?: MessageRecords;
  /** Its input box. */
  keyboard?: Keyboard;
  /** Takes messages at any moment, if its client offers an inbox. */
  inbox?: Inbox;
  /** What its client asks a person, and how the client takes an answer. */
  requests?: RequestForms;
  /** What its screen and its conversation say about its activity. */
  screen?: Screen;
  /** The model it was started with. */
  model?: ModelReader;
  /** What its agents may do without asking a person, if its client has modes for that. */
  permissions?: Permissions;
  /** What hivemind can do with the files of a conversation that no process has open. */
  files?: FileDeeds;
  /** What a command may ask and the agent cannot do. */
  lacks: Readonly<Partial<Record<Ability, Lack>>>;
}

export interface Home {
  /** The environment variable that moves it. */
  variable: string;
  /** The folder of a process; `own` is the value of the variable in its environment, if it has one. */
  folderOf(own: string | null, env: NodeJS.ProcessEnv): string | null;
  /** The value of the variable for this folder. */
  valueFor(folder: string): string;
}

export interface Registry {
  /** What it says about a running process, and about the title of its pane if that is known. */
  liveSession(folder: string, process: ProcessInfo, title?: string): LiveSession | null;
  /** The title of the pane can decide which of its conversations a process shows. */
  readsTitle?: true;
  /** The conversations that a process has open, if it can have several. */
  heldSessions?(folder: string, process: ProcessInfo): SessionId[];
  /** The processes it has an entry for; they may have ended. */
  registeredPids(folder: string): number[];
  /** The folder in which running clients report what they do, and the file of one process in it. */
  reports?: { folder(folder: string): string; file(folder: string, pid: number): string };
  /** The session in the entry that a killed process left behind. */
  leftSession?(folder: string, process: EndedProcess): SessionId | null;
  /** Its background conversations; their processes may have ended. */
  jobs?(folder: string): Job[];
}

export interface Start {
  /** How many of its programs may start together. */
  pace: StartPace;
  /**
   * Makes the conversation before the agent starts, if the client chooses the ids itself. The agent is then started
   * to resume it. Absent if the client takes an id that the caller chose.
   */
  make?(wanted: NewSession): Promise<SessionId>;
  /** Continues a copy of a conversation, and leaves the original untouched. */
  forks: boolean;
  /** A start can give the agent hivemind's tools. */
  givesTools?: true;
  /** Its program takes no prompt with a conversation: the prompt goes into its inbox when it is up. */
  promptsByInbox?: true;
  /** The variable with the password of the server inside its process. Each start has a password of its own. */
  secret?: string;
  /** Runs before each start, once nothing can refuse it: makes the client's folder ready. */
  prepare?(place: StartPlace): void;
  /** What people should know about a start beside agents of the same kind in its folder; null if nothing. */
  remark?(place: StartPlace): string | null;
  /** What a person types to resume the conversation in this file, without a change of folder. */
  resumeCommand(written: { id: SessionId; path: string; folder: string }, env: NodeJS.ProcessEnv): string;
  /** The arguments for a start; `argumentsOf` reads the same session back from them. */
  launch(launch: Launch): string[];
}

export interface Ending {
  /** In this order, each one only while a process of the list lives. `tree` has parents before their children. */
  steps(tree: readonly ProcessInfo[]): EndStep[];
  /** Its processes go on when their pane closes, and still hold the conversation. */
  outlivesPane?: true;
}

export interface EndStep {
  pid: number;
  signal: "SIGTERM" | "SIGKILL";
}

export interface Permissions {
  /** The mode that the conversation in this file is in; null if it does not say. */
  modeIn(path: string): string | null;
  /** The mode that a start with these arguments asks for; null if they leave it to the client. */
  modeAsked(argv: readonly string[]): string | null;
  /** The mode that its screen shows; null if it shows none. */
  modeShown(lines: readonly string[]): string | null;
  /** From the one that allows least to the one that allows most. */
  modes: readonly string[];
  /** Asks a person before each deed that is not allowed by a rule. */
  asking: string;
  /** Asks nobody about anything. */
  bypassing: string;
}

export interface FileDeeds {
  /** Makes a fork without a client. */
  copy?: true;
  /** Takes them away, keeps copies, and puts them back. */
  archive?: true;
  /** Gives them to another folder. */
  rebind?: true;
  /** Takes them to another host: they mean the same there. */
  move?: true;
}

export interface Titles {
  /** The session name in the pane's title, or null if there is none. */
  nameInTitle(title: string): string | null;
  /** The title as people read it, if it has parts for programs. */
  shown?(title: string): string;
  /** Whether the pane shows the list of conversations. Text typed there would reach none of them. */
  isListTitle?(title: string): boolean;
  /** Whether the title means the conversation that its client moved to the background, which has no name. */
  isMovedTitle?(title: string): boolean;
}

export interface Keyboard {
  /** Reads the input box from all lines of the visible screen, with colours. */
  readBox(lines: readonly string[]): Box;
  /** The text to paste into its box so that the message arrives unchanged in meaning. */
  shapeText(text: string, size: BoxSize): Shaped;
  /** Whether its client runs, remembers or sends off this line instead of reading it. */
  obeys(text: string): boolean;
  /** How a draft in its box shows the text; null if the draft is different or has more. */
  shownAs(draft: string, text: string): "whole" | "part" | null;
  /** Whether a draft contains the text and something else. */
  holdsMore(draft: string, text: string): boolean;
  /** Why Enter would not send this draft as written, or null. */
  whyNotEntered(draft: Draft, message: ShapedText): string | null;
  /** The command that renames its conversation. Absent if its client has none. */
  renaming?(name: string): string;
  /** An Enter that comes sooner after the box shows a paste may be part of the paste (default: none does). */
  pasteRestMs?: number;
  /** The command that ends it (default: `/exit`). */
  leaving?: string;
}

export interface Screen {
  /**
   * What it is doing, from the screen lines (null if the screen was not captured) and the last turn of its
   * conversation; null if neither says.
   */
  readActivity(lines: readonly string[] | null, nowMs: number, turn?: LastTurn | null): SeenActivity | null;
  /** The contents of its status, if that is on the screen. */
  readStatus?(lines: readonly string[]): ShownStatus | null;
  /** How its status is shown (default: `/status`, a dialog that Escape closes). */
  status?: { command: string; isDialog: boolean };
  /** What it printed about its conversation when it ended, from the rows of its pane. */
  readLastWords?(rows: readonly string[]): LastWords | null;
}

export interface ModelReader {
  /** The environment variables that choose its model. */
  variables: readonly string[];
  /** From arguments, variables and settings. */
  setup(start: ModelStart): ModelSetup;
}

/** The ways into an agent, the preferred one first. */
export function doorsOf({ inbox, keyboard }: Agent): DoorName[] {
  return [...(inbox ? (["inbox"] as const) : []), ...(keyboard ? (["keys"] as const) : [])];
}

/** How fast programs of one kind may start. */
export interface StartPace {
  atOnce: number;
  /** From the end of some starts to the next ones. */
  gapMs: number;
}

/** A named way into a running agent: its own inbox, or its keyboard. */
export type DoorName = "inbox" | "keys";

/** A message in an inbox hits no draft, no dialog and no other conversation. */
export interface Inbox {
  /** Hands one message to the client. Written means: the client can read it. Only its records prove more. */
  post(place: InboxPlace, letter: Letter, env: NodeJS.ProcessEnv): Promise<Posted>;
  /** The text that the client records when it enqueues the letter. */
  contentOf(letter: Letter): string;
  /** How many messages of one sender it takes at once, and how often one more. Absent if it takes all. */
  pace?: Pace;
  /** Its client takes a letter for its user's own word. So a person needs no keyboard, and an agent is named. */
  isUsersWord?: true;
  /** For an inbox that outlives its client: whoever opens the conversation next would get the letter. */
  kept?: {
    /** Whether the letter is still in it. */
    has(letter: KeptLetter): Promise<boolean>;
    /** Takes the letter back. False: it is no longer in it. */
    withdraw(letter: KeptLetter): Promise<boolean>;
  };
}

/** A letter in an inbox whose client may have ended. */
export interface KeptLetter {
  id: string;
  session: SessionId;
  folder: string;
  env: NodeJS.ProcessEnv;
}

export interface Pace {
  burst: number;
  everyMs: number;
}

/** Where a running client takes messages. */
export interface InboxPlace {
  /** Its socket, its folder or its ports: its kind knows which. */
  path: string;
  pid: number;
  /** The password of its server, if hivemind gave it one. */
  key?: string | null;
}

export interface Letter {
  /** The message's own id. */
  id: string;
  /** The client drops a letter for any other conversation. */
  session: SessionId;
  /** The sender's name. */
  from: string;
  /** The sender is the user, not an agent. */
  isUsers?: boolean;
  text: string;
}

/** Not written: the client has not got the message. */
export type Posted =
  /** Enqueued: the client's own queue certainly has it. */
  { isWritten: true; isEnqueued?: true } | { isWritten: false; why: string };

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
  /** The evidence for the session, if its client keeps no registry. */
  how?: "args" | "records";
  /** The process has left this session, and nothing shows yet where it is. */
  isLeft?: true;
  /** Another client may have written the session and this activity into the file, or (`isOthers`) the whole file. */
  shared?: { activity: ReportedActivity | null; isOthers?: true };
}

/** The session that a status dialog shows. */
export interface ShownStatus {
  /** The session's id, or its beginning if the pane is too narrow. */
  id: string | null;
  name: string | null;
}
