// The seat of an agent: one pane of one tmux server. Pane ids never repeat while their server lives, so a seat
// always means the same pane.

import { isPaneId, type PaneId } from "./gates.js";

/** A tmux server: its socket, its pid and its start in seconds. Another server may get the same pid later. */
export interface ServerKey {
  socket: string;
  pid: number;
  startedAt: number;
}

export interface Seat {
  server: ServerKey;
  pane: PaneId;
}

export function serverKey(server: { socketPath: string; pid: number; startedAtMs: number }): ServerKey {
  const { socketPath: socket, pid, startedAtMs } = server;
  return { socket, pid, startedAt: Math.floor(startedAtMs / 1000) };
}

/** The socket's path may change by a link or a mount; pid and start identify the server. */
export function isSameServer(a: ServerKey, b: ServerKey): boolean {
  return a.pid === b.pid && a.startedAt === b.startedAt;
}

export function isSameSeat(a: Seat, b: Seat): boolean {
  return a.pane === b.pane && isSameServer(a.server, b.server);
}

/** `<socket>,<pid>,<start>/%5`. Characters that a row cannot hold are encoded as in a URL. */
export function formatSeat({ server: { socket, pid, startedAt }, pane }: Seat): string {
  return `${socket.replace(unfit, encodeURIComponent)},${pid},${startedAt}/${pane}`;
}

export function parseSeat(text: string): Seat | null {
  const match = /^(.*),([1-9]\d{0,9}),(\d{1,12})\/(%\d+)$/.exec(text);
  if (match === null || !isPaneId(match[4]!)) return null;
  const socket = decoded(match[1]!);
  if (socket === null) return null;
  return { server: { socket, pid: Number(match[2]), startedAt: Number(match[3]) }, pane: match[4] };
}

const unfit = /[%|\p{C}\u2028\u2029]/gu;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
