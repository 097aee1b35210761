// Everything a tmux server has, in one spawn. A plain value: all questions about panes are answered from it.
//
// [TL1] No server is an empty listing. Every other failure throws.
// [TL2] Text in a pane (title, folder, command) cannot forge a field or a pane: the marks between fields
//       are random for each call.
// [TL3] A pane is listed once, however many tmux sessions show it; `places.ts` says where. The other places stand in
//       `alsoAt`.
// [TL4] A name is found exactly or not at all.
// [TL5] A listing counts only when its end was seen: one that is cut short, wherever, is a failure.
// [TL6] Whether a pane's visible screen matches one pattern, or lacks another, is told in the same spawn, for patterns that
//       are asked for.

import { randomHex } from "../base/random.js";
import { addressOf, type PaneAddress, type PaneId } from "../names/gates.js";
import { unreadable } from "./answer.js";
import { onceEach } from "./places.js";
import type { ServerChoice } from "./socket.js";
import type { Tmux } from "./tmux.js";

/** tmux's own names: like a pane's `%5` they never change, and are not used again while the server lives. */
export type WindowId = `@${number}`;
export type TmuxSessionId = `$${number}`;

export interface Listing {
  server: TmuxServer | null;
  /** All of them, also one whose panes are listed where another one has them. */
  sessions: TmuxSession[];
  panes: TmuxPane[];
}

export interface TmuxSession {
  id: TmuxSessionId;
  name: string;
}

export interface TmuxServer {
  pid: number;
  startedAtMs: number;
  socketPath: string;
  version: string;
  /** As it was asked for. */
  choice: ServerChoice;
}

export type TmuxPane = ReturnType<typeof readPane> & { alsoAt: PaneAddress[] };

/** POSIX extended, and without anything that a tmux format takes for its own: `#`, `}`, `,`. */
export interface ListOptions {
  search?: string;
  /** What a screen is expected to have. */
  lacking?: string;
}

export async function listServer(tmux: Tmux, { search, lacking }: ListOptions = {}): Promise<Listing> {
  const marks = newMarks();
  const searches = [searchFor(search, "0"), searchFor(lacking, "1")];
  const { stdout, failure } = await tmux.attempt([
    ["display-message", "-p", format(serverFields, marks)],
    ["list-panes", "-a", "-F", format([...paneFields, ...searches], marks)],
    ["display-message", "-p", marks.end],
  ]);
  if (failure?.reason === "no-server") return { server: null, sessions: [], panes: [] };
  // A server without tmux sessions tells about itself, then finds nothing to list panes of.
  if (failure && failure.reason !== "no-target") throw failure;
  return readListing(stdout, marks, failure !== null, tmux.server);
}

/** Of panes in one tmux session: window by window, as tmux numbers them. */
export function byPlace(a: Place, b: Place): number {
  return a.windowIndex - b.windowIndex || a.paneIndex - b.paneIndex;
}

type Place = Pick<TmuxPane, "windowIndex" | "paneIndex">;

export function findPane(listing: Listing, name: PaneId | PaneAddress): TmuxPane | null {
  const isIt = (pane: TmuxPane) =>
    pane.id === name || pane.address === name || pane.alsoAt.some((address) => address === name);
  return listing.panes.find(isIt) ?? null;
}

/** The tmux session of exactly this name. */
export function findTmuxSession(listing: Listing, name: string): TmuxSessionId | null {
  return listing.sessions.find((session) => session.name === name)?.id ?? null;
}

interface Marks {
  field: string;
  record: string;
  end: string;
}

function readListing(printed: string, marks: Marks, isStopped: boolean, choice: ServerChoice): Listing {
  const records = printed.split(marks.record);
  const rest = records.pop();
  const end = isStopped ? "" : marks.end;
  // tmux ends each line of its own, so all but the first record begin with that line break.
  const rows = records.map((record, at) => (at === 0 ? record : record.slice(1)).split(marks.field));
  const [server, ...panes] = rows;
  const isWhole =
    rest?.trim() === end &&
    server?.length === serverFields.length &&
    panes.every((row) => row.length === paneFields.length + 2);
  if (!isWhole) throw unreadable("list-panes");
  const read = panes.map(readPane);
  return { server: { ...readServer(server), choice }, sessions: sessionsOf(read), panes: onceEach(read) };
}

const serverFields = ["pid", "start_time", "socket_path", "version"] as const;

const paneFields = [
  "pane_id",
  "session_id",
  "session_name",
  "session_group",
  "session_attached",
  "session_created",
  "window_id",
  "window_index",
  "window_name",
  "window_active",
  "window_layout",
  "window_width",
  "window_height",
  "window_zoomed_flag",
  "pane_index",
  "pane_active",
  "pane_pid",
  "pane_tty",
  "pane_title",
  "pane_current_path",
  "pane_start_path",
  "pane_current_command",
  "pane_start_command",
  "pane_width",
  "pane_height",
  "pane_left",
  "pane_top",
  "pane_dead",
  "pane_dead_status",
  "pane_dead_time",
  "pane_in_mode",
  "pane_synchronized",
  "cursor_x",
  "cursor_y",
  "@hivemind",
  "@hivemind_launch",
  "@hivemind_team",
  "@hivemind_shell",
] as const;

type PaneField = (typeof paneFields)[number];

const paneColumns = Object.fromEntries(paneFields.map((name, at) => [name, at])) as Record<PaneField, number>;

function readServer(row: string[]): Omit<TmuxServer, "choice"> {
  const [pid, startTime, socketPath, version] = row;
  return {
    pid: Number(pid),
    startedAtMs: Number(startTime) * 1000,
    socketPath: socketPath!,
    version: version!,
  };
}

function readPane(row: string[]) {
  const text = (name: PaneField) => row[paneColumns[name]]!;
  const number = (name: PaneField) => Number(text(name));
  const isSet = (name: PaneField) => number(name) > 0;
  return {
    id: text("pane_id") as PaneId,
    address: addressOf(text("session_name"), number("window_index"), number("pane_index")),
    sessionId: text("session_id") as TmuxSessionId,
    sessionName: text("session_name"),
    sessionGroup: text("session_group") || null,
    /** How many clients look at the tmux session. */
    sessionAttached: number("session_attached"),
    sessionCreatedMs: number("session_created") * 1000,
    windowId: text("window_id") as WindowId,
    windowIndex: number("window_index"),
    windowName: text("window_name"),
    windowActive: isSet("window_active"),
    windowLayout: text("window_layout"),
    windowWidth: number("window_width"),
    windowHeight: number("window_height"),
    windowZoomed: isSet("window_zoomed_flag"),
    paneIndex: number("pane_index"),
    paneActive: isSet("pane_active"),
    /** Of a dead pane: a process that ended, whose number (like its terminal) may be somebody else's by now. */
    pid: number("pane_pid"),
    tty: text("pane_tty"),
    /** tmux blanks title and folder of a dead pane. */
    title: text("pane_title"),
    cwd: text("pane_current_path"),
    startPath: text("pane_start_path"),
    command: text("pane_current_command"),
    startCommand: text("pane_start_command"),
    width: number("pane_width"),
    height: number("pane_height"),
    left: number("pane_left"),
    top: number("pane_top"),
    dead: isSet("pane_dead"),
    /** Null while it lives, when a signal ended it, and at times for good: tmux may miss the end of a quick program. */
    deadStatus: text("pane_dead_status") === "" ? null : number("pane_dead_status"),
    /** The end of the second in which its program ended; null while it lives, and where tmux does not tell. */
    deadAtMs: text("pane_dead_time") === "" ? null : number("pane_dead_time") * 1000 + 999,
    /** Copy mode and its kind: keys go to tmux, not to the program. */
    inMode: isSet("pane_in_mode"),
    /** Keys sent to it reach every pane of its window. */
    synchronized: isSet("pane_synchronized"),
    cursorX: number("cursor_x"),
    cursorY: number("cursor_y"),
    /** The option's raw text. Formats inherit: it may come from the window, session or server. */
    hivemind: text("@hivemind"),
    /** The same of the option that says how its program was started. */
    launch: text("@hivemind_launch"),
    /** And of the one that says that its tmux session has had registered panes. */
    team: text("@hivemind_team"),
    /** And of the one that says for which saved pane a shell was made. */
    shell: text("@hivemind_shell"),
    /** Some row of its visible screen matches what was searched for, or none has what it was expected to have. */
    matches: Number(row.at(-2)) > 0 || Number(row.at(-1)) === 0,
  };
}

/** tmux tells the first row that matches, counted from 1. */
function searchFor(pattern: string | undefined, otherwise: "0" | "1"): string {
  return pattern === undefined ? `l:${otherwise}` : `C/r:${pattern}`;
}

function sessionsOf(rows: ReturnType<typeof readPane>[]): TmuxSession[] {
  const names = new Map(rows.map(({ sessionId, sessionName }) => [sessionId, sessionName]));
  return [...names].map(([id, name]) => ({ id, name }));
}

function newMarks(): Marks {
  const nonce = randomHex(8);
  return { field: `\x1f${nonce}`, record: `\x1e${nonce}`, end: `end-${nonce}` };
}

function format(fields: readonly string[], marks: Marks): string {
  return fields.map((field) => `#{${field}}`).join(marks.field) + marks.record;
}
