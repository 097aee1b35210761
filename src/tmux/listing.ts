// Everything a tmux server has, in one spawn, as a plain value that answers all questions about panes.
//
// [TL1] No server is an empty listing. Every other failure throws. A server that ends meanwhile is asked again.
// [TL2] Text in a pane (title, folder, command) cannot forge a field or a pane: the marks between fields are random
//       per call.
// [TL3] A pane is listed once, even if several tmux sessions show it. `places.ts` chooses its address; the others
//       are in `alsoAt`.
// [TL4] A name is found exactly or not at all.
// [TL5] A listing counts only if its end was read: a truncated one is a failure.
// [TL6] The same spawn reports whether a pane's visible screen matches one pattern or lacks another, if requested.

import { setTimeout as rest } from "node:timers/promises";
import { limits } from "../limits.js";
import { addressOf, type PaneAddress, type PaneId } from "../names/gates.js";
import { newMark, unreadable } from "./answer.js";
import { isEnding } from "./error.js";
import { layoutOfAllVersions } from "./layout-string.js";
import { onceEach } from "./places.js";
import type { ServerChoice } from "./socket.js";
import type { Tmux } from "./tmux.js";

/** tmux's own ids: like a pane's `%5` they never change, and are not reused while the server lives. */
export type WindowId = `@${number}`;
export type TmuxSessionId = `$${number}`;

export interface Listing {
  server: TmuxServer | null;
  /** All of them, even one whose panes are all listed under another. */
  sessions: TmuxSession[];
  panes: TmuxPane[];
}

export interface TmuxSession {
  id: TmuxSessionId;
  name: string;
}

/** `choice` is how the server was chosen. */
export type TmuxServer = ReturnType<typeof serverFields> & { choice: ServerChoice };

export type TmuxPane = ReturnType<typeof readPane> & { alsoAt: PaneAddress[] };

/** POSIX extended, without the characters that tmux formats use: `#`, `}`, `,`. */
export interface ListOptions {
  search?: string;
  /** A pattern that a screen is expected to match. */
  lacking?: string;
}

export async function listServer(tmux: Tmux, { search, lacking }: ListOptions = {}): Promise<Listing> {
  const marks = newMarks();
  const searches = [searchFor(search, "0"), searchFor(lacking, "1")];
  const ask = () =>
    tmux.attempt([
      ["display-message", "-p", format(namesOf(serverFields), marks)],
      ["list-panes", "-a", "-F", format([...namesOf(paneFields), ...searches], marks)],
      ["display-message", "-p", marks.end],
    ]);
  let { stdout, failure } = await ask();
  for (let tries = 0; tries < limits.endingTries && isEnding(failure); tries++) {
    await rest(limits.endNoticeRestMs);
    ({ stdout, failure } = await ask());
  }
  if (failure?.reason === "no-server") return { server: null, sessions: [], panes: [] };
  // A server without tmux sessions describes itself, then has no panes to list.
  if (failure && failure.reason !== "no-target") throw failure;
  return readListing(stdout, marks, failure !== null, tmux.server);
}

/** For panes of one tmux session: by window and pane index. */
export function byPlace(a: Place, b: Place): number {
  return a.windowIndex - b.windowIndex || a.paneIndex - b.paneIndex;
}

type Place = Pick<TmuxPane, "windowIndex" | "paneIndex">;

/** The pane with exactly this id or address. */
export function findPane<Pane extends Pick<TmuxPane, "id" | "address" | "alsoAt">>(
  { panes }: { panes: readonly Pane[] },
  name: string,
): Pane | null {
  return panes.find(({ id, address, alsoAt }) => [id, address, ...alsoAt].some((at) => at === name)) ?? null;
}

/** The tmux session of exactly this name. */
export function findTmuxSession(listing: Listing, name: string): TmuxSessionId | null {
  return listing.sessions.find((session) => session.name === name)?.id ?? null;
}

type Marks = ReturnType<typeof newMarks>;

function readListing(printed: string, marks: Marks, isStopped: boolean, choice: ServerChoice): Listing {
  const records = printed.split(marks.record);
  const rest = records.pop();
  const end = isStopped ? "" : marks.end;
  // tmux ends each line itself, so every record except the first begins with a line break.
  const rows = records.map((record, at) => (at === 0 ? record : record.slice(1)).split(marks.field));
  const [server, ...panes] = rows;
  const width = namesOf(paneFields).length + 2;
  const isWhole =
    rest?.trim() === end &&
    server?.length === namesOf(serverFields).length &&
    panes.every((row) => row.length === width);
  if (!isWhole) throw unreadable("list-panes");
  const read = panes.map(readPane);
  return {
    server: { ...serverFields(textsOf(server)), choice },
    sessions: sessionsOf(read),
    panes: onceEach(read),
  };
}

/** The text of one of tmux's own variables. Called in the same order for every row. */
type Next = (name: string) => string;

// Objects made at once, not field by field: a hundred panes of fifty fields would take longer than tmux itself.
function serverFields(next: Next) {
  return {
    pid: Number(next("pid")),
    startedAtMs: Number(next("start_time")) * 1000,
    socketPath: next("socket_path"),
    version: next("version"),
    /** The raw text of the option by which a person lets hivemind write into tmux's own lines; empty without it. */
    shows: next("@hivemind_tmux"),
    /** What the watcher last wrote there, and until when it is valid. */
    status: next("@hivemind_status"),
    statusUntil: next("@hivemind_until"),
  };
}

function paneFields(next: Next) {
  return {
    id: next("pane_id") as PaneId,
    sessionId: next("session_id") as TmuxSessionId,
    sessionName: next("session_name"),
    sessionGroup: maybe(next("session_group"), String),
    /** How many clients are attached to the tmux session. */
    sessionAttached: Number(next("session_attached")),
    sessionCreatedMs: Number(next("session_created")) * 1000,
    windowId: next("window_id") as WindowId,
    windowIndex: Number(next("window_index")),
    windowName: next("window_name"),
    windowActive: Number(next("window_active")) > 0,
    windowLayout: layoutOfAllVersions(next("window_layout")),
    windowWidth: Number(next("window_width")),
    windowHeight: Number(next("window_height")),
    windowZoomed: Number(next("window_zoomed_flag")) > 0,
    paneIndex: Number(next("pane_index")),
    paneActive: Number(next("pane_active")) > 0,
    /** For a dead pane: the ended process, or 0 from tmux 3.8 on. Its pid and terminal may have been reused. */
    pid: Number(next("pane_pid")),
    tty: next("pane_tty"),
    /** tmux blanks title and folder of a dead pane. */
    title: next("pane_title"),
    cwd: next("pane_current_path"),
    startPath: next("pane_start_path"),
    command: next("pane_current_command"),
    startCommand: next("pane_start_command"),
    width: Number(next("pane_width")),
    height: Number(next("pane_height")),
    left: Number(next("pane_left")),
    top: Number(next("pane_top")),
    dead: Number(next("pane_dead")) > 0,
    /** Null while it lives, if a signal ended it, and sometimes for ever: tmux may miss the end of a quick program. */
    deadStatus: maybe(next("pane_dead_status"), Number),
    /** The end of the second in which its program ended; null while it lives, or if tmux does not report it. */
    deadAtMs: maybe(next("pane_dead_time"), (found) => Number(found) * 1000 + 999),
    /** Copy mode and similar modes: keys go to tmux, not to the program. */
    inMode: Number(next("pane_in_mode")) > 0,
    /** Keys sent to it reach every pane of its window. */
    synchronized: Number(next("pane_synchronized")) > 0,
    cursorX: Number(next("cursor_x")),
    cursorY: Number(next("cursor_y")),
    /** The option's raw text. Formats inherit: it may come from the window, session or server. */
    hivemind: next("@hivemind"),
    /** The raw text of the option with its agent's id. */
    agentOption: next("@hivemind_agent"),
    /** The raw text of the option with the team of its tmux session. */
    team: next("@hivemind_team"),
    /** The raw text of the option that names the saved pane for which a shell was made. */
    shell: next("@hivemind_shell"),
    /** What the watcher last wrote about the pane, and about its tmux session. */
    label: next("@hivemind_label"),
    teamStatus: next("@hivemind_team_status"),
  };
}

function maybe<T>(text: string, read: (text: string) => T): T | null {
  return text === "" ? null : read(text);
}

function namesOf(fields: (next: Next) => unknown): string[] {
  const names: string[] = [];
  fields((name) => {
    names.push(name);
    return "";
  });
  return names;
}

function textsOf(row: readonly string[]): Next {
  let at = 0;
  return () => row[at++]!;
}

function readPane(row: readonly string[]) {
  const pane = paneFields(textsOf(row));
  return {
    ...pane,
    address: addressOf(pane.sessionName, pane.windowIndex, pane.paneIndex),
    /** A row of its visible screen matches `search`, or none matches `lacking`. */
    matches: Number(row.at(-2)) > 0 || Number(row.at(-1)) === 0,
  };
}

/** tmux returns the first matching row, counted from 1. */
function searchFor(pattern: string | undefined, otherwise: "0" | "1"): string {
  return pattern === undefined ? `l:${otherwise}` : `C/r:${pattern}`;
}

function sessionsOf(rows: ReturnType<typeof readPane>[]): TmuxSession[] {
  const names = new Map(rows.map(({ sessionId, sessionName }) => [sessionId, sessionName]));
  return [...names].map(([id, name]) => ({ id, name }));
}

function newMarks() {
  return { field: newMark(), record: newMark(), end: newMark() };
}

function format(fields: readonly string[], marks: Marks): string {
  return fields.map((field) => `#{${field}}`).join(marks.field) + marks.record;
}
