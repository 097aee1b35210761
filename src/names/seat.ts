// The seat of an agent: one pane of one tmux server. Pane ids never repeat while their server lives, so a seat
// always means the same pane.

import { isFirstNamespace, pidNamespace } from "../base/system/pid-namespace.js";
import { isPaneId, type PaneId } from "./gates.js";

/** A tmux server: its socket, its pid and its start in seconds. Another server may get the same pid later. */
export interface ServerKey {
  socket: string;
  pid: number;
  startedAt: number;
  /**
   * The number of the pid namespace of `pid`; absent for the machine's first one. Servers of two containers can have the
   * same socket, pid and start.
   */
  namespace?: string;
}

export interface Seat {
  server: ServerKey;
  pane: PaneId;
}

/** `namespace`: our own, as the kernel writes it: we ask servers of no other. */
export function serverKey(
  server: { socketPath: string; pid: number; startedAtMs: number },
  namespace = pidNamespace(),
): ServerKey {
  const { socketPath: socket, pid, startedAtMs } = server;
  const inside = isFirstNamespace(namespace) ? {} : { namespace: namespace!.replace(/\D/g, "") };
  return { socket, pid, startedAt: Math.floor(startedAtMs / 1000), ...inside };
}

/** The socket's path may change by a link or a mount; pid, namespace and start identify the server. */
export function isSameServer(a: ServerKey, b: ServerKey): boolean {
  return a.pid === b.pid && a.startedAt === b.startedAt && a.namespace === b.namespace;
}

export function isSameSeat(a: Seat, b: Seat): boolean {
  return a.pane === b.pane && isSameServer(a.server, b.server);
}

/**
 * `<socket>,<pid>,<start>/%5`, in a container `<socket>,<pid>.<namespace>,<start>/%5`. Characters that a row cannot hold
 * are encoded as in a URL.
 */
export function formatSeat({ server: { socket, pid, startedAt, namespace }, pane }: Seat): string {
  const process = namespace === undefined ? pid : `${pid}.${namespace}`;
  return `${socket.replace(unfit, encodeURIComponent)},${process},${startedAt}/${pane}`;
}

export function parseSeat(text: string): Seat | null {
  const match = /^(.*),([1-9]\d{0,9})(?:\.(\d{1,20}))?,(\d{1,12})\/(%\d+)$/.exec(text);
  if (match === null) return null;
  const [, path, pid, namespace, startedAt, pane] = match;
  const socket = decoded(path!);
  if (socket === null || !isPaneId(pane!)) return null;
  const inside = namespace === undefined ? {} : { namespace };
  return { server: { socket, pid: Number(pid), startedAt: Number(startedAt), ...inside }, pane };
}

const unfit = /[%|\p{C}\u2028\u2029]/gu;

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
