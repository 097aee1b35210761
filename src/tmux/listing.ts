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
import { randomHex } from "../base/random.js";
import { limits } from "../limits.js";
import { addressOf, type PaneAddress, type PaneId } from "../names/gates.js";
import { unreadable } from "./answer.js";
import { isEnding } from "./error.js";
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
export type TmuxServer = Read<typeof serverFields> & { choice: ServerChoice };

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
    server: { ...readFields(serverFields, server), choice },
    sessions: sessionsOf(read),
    panes: onceEach(read),
  };
}

/** One of tmux's own variables, and how its text is parsed. */
type Field<T> = [name: string, read: (text: string) => T];
type Read<Fields extends Record<string, Field<unknown>>> = {
  [Key in keyof Fields]: ReturnType<Fields[Key][1]>;
};

const text = <T extends string>(name: string): Field<T> => [name, (found) => found as T];
const number = (name: string): Field<number> => [name, Number];
const seconds = (name: string): Field<number> => [name, (found) => Number(found) * 1000];
const isSet = (name: string): Field<boolean> => [name, (found) => Number(found) > 0];
const maybe = <T>(name: string, read: (text: string) => T): Field<T | null> => [
  name,
  (found) => (found === "" ? null : read(found)),
];

const serverFields = {
  pid: number("pid"),
  startedAtMs: seconds("start_time"),
  socketPath: text("socket_path"),
  version: text("version"),
};

const paneFields = {
  id: text<PaneId>("pane_id"),
  sessionId: text<TmuxSessionId>("session_id"),
  sessionName: text("session_name"),
  sessionGroup: maybe("session_group", String),
  /** How many clients are attached to the tmux session. */
  sessionAttached: number("session_attached"),
  sessionCreatedMs: seconds("session_created"),
  windowId: text<WindowId>("window_id"),
  windowIndex: number("window_index"),
  windowName: text("window_name"),
  windowActive: isSet("window_active"),
  windowLayout: text("window_layout"),
  windowWidth: number("window_width"),
  windowHeight: number("window_height"),
  windowZoomed: isSet("window_zoomed_flag"),
  paneIndex: number("pane_index"),
  paneActive: isSet("pane_active"),
  /** For a dead pane: the ended process. Its pid and terminal may have been reused. */
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
  /** Null while it lives, if a signal ended it, and sometimes for ever: tmux may miss the end of a quick program. */
  deadStatus: maybe("pane_dead_status", Number),
  /** The end of the second in which its program ended; null while it lives, or if tmux does not report it. */
  deadAtMs: maybe("pane_dead_time", (found) => Number(found) * 1000 + 999),
  /** Copy mode and similar modes: keys go to tmux, not to the program. */
  inMode: isSet("pane_in_mode"),
  /** Keys sent to it reach every pane of its window. */
  synchronized: isSet("pane_synchronized"),
  cursorX: number("cursor_x"),
  cursorY: number("cursor_y"),
  /** The option's raw text. Formats inherit: it may come from the window, session or server. */
  hivemind: text("@hivemind"),
  /** The raw text of the option with its agent's id. */
  agentOption: text("@hivemind_agent"),
  /** The raw text of the option with the team of its tmux session. */
  team: text("@hivemind_team"),
  /** The raw text of the option that names the saved pane for which a shell was made. */
  shell: text("@hivemind_shell"),
};

function readFields<Fields extends Record<string, Field<unknown>>>(
  fields: Fields,
  row: string[],
): Read<Fields> {
  // A loop: with a hundred panes, an array per field takes as long as tmux itself.
  const found: Partial<Read<Fields>> = {};
  let at = 0;
  for (const key in fields) found[key] = fields[key]![1](row[at++]!) as Read<Fields>[typeof key];
  return found as Read<Fields>;
}

function namesOf(fields: Record<string, Field<unknown>>): string[] {
  return Object.values(fields).map(([name]) => name);
}

function readPane(row: string[]) {
  const pane = readFields(paneFields, row);
  return Object.assign(pane, {
    address: addressOf(pane.sessionName, pane.windowIndex, pane.paneIndex),
    /** A row of its visible screen matches `search`, or none matches `lacking`. */
    matches: Number(row.at(-2)) > 0 || Number(row.at(-1)) === 0,
  });
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
  const nonce = randomHex(8);
  return { field: `\x1f${nonce}`, record: `\x1e${nonce}`, end: `end-${nonce}` };
}

function format(fields: readonly string[], marks: Marks): string {
  return fields.map((field) => `#{${field}}`).join(marks.field) + marks.record;
}
