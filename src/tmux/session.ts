// tmux sessions: made, renamed, ended. In this folder a session is always tmux's own.

import type { PaneId, TeamName } from "../names/gates.js";
import { fieldsOf } from "./answer.js";
import type { TmuxSessionId } from "./listing.js";
import { type PaneStart, startArguments } from "./program.js";
import { literal } from "./quote.js";
import type { Tmux } from "./tmux.js";

export interface SessionStart extends PaneStart {
  name: string;
  windowName?: string;
  /** Where its window stands; at tmux's base-index without it. */
  windowIndex?: number;
  width?: number;
  height?: number;
}

export interface NewSession {
  sessionId: TmuxSessionId;
  pane: PaneId;
}

/** Detached. Starts the server where there is none. */
export async function newSession(tmux: Tmux, start: SessionStart): Promise<NewSession> {
  const { name, windowName, windowIndex, width, height } = start;
  const make = [
    ...["new-session", "-d", "-P", "-F", "#{session_id}\x1f#{pane_id}", "-s", literal(name)],
    ...(windowName === undefined ? [] : ["-n", literal(windowName)]),
    ...(width === undefined ? [] : ["-x", String(width)]),
    ...(height === undefined ? [] : ["-y", String(height)]),
    ...startArguments(start),
  ];
  const target = `${exactly(name as TeamName)}:`;
  const move = ["move-window", "-s", target, "-t", `${target}${windowIndex}`];
  // In one spawn: nothing that ends us in between leaves a window at the wrong place.
  const { stdout: printed, failure } = await tmux.attempt(windowIndex === undefined ? [make] : [make, move]);
  if (failure !== null && (printed === "" || !failure.message.includes("same index"))) throw failure;
  const [sessionId, pane] = fieldsOf(printed.trim(), "new-session", [/^\$\d+$/, /^%\d+$/]);
  return { sessionId: sessionId as TmuxSessionId, pane: pane as PaneId };
}

export async function renameSession(
  tmux: Tmux,
  session: TmuxSessionId | TeamName,
  name: string,
): Promise<void> {
  await tmux.run(["rename-session", "-t", exactly(session), "--", literal(name)]);
}

export async function killSession(tmux: Tmux, session: TmuxSessionId | TeamName): Promise<void> {
  await tmux.run(["kill-session", "-t", exactly(session)]);
}

/** tmux ends it by itself when nobody looks at it any more. */
export async function endUnattended(tmux: Tmux, session: TmuxSessionId): Promise<void> {
  await tmux.run(["set-option", "-t", session, "destroy-unattached", "on"]);
}

/** tmux leaves options that begin with `@` to others. */
export async function setSessionOption(
  tmux: Tmux,
  session: TmuxSessionId,
  option: `@${string}`,
  value: string,
): Promise<void> {
  await tmux.run(["set-option", "-t", session, "--", option, value]);
}

export async function unsetSessionOption(
  tmux: Tmux,
  session: TmuxSessionId,
  option: `@${string}`,
): Promise<void> {
  await tmux.run(["set-option", "-u", "-t", session, option]);
}

/** A bare name would also match a longer one that begins with it. */
export function exactly(session: TmuxSessionId | TeamName): string {
  return session.startsWith("$") ? session : `=${session}`;
}
