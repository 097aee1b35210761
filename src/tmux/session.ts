// Creates, renames and ends tmux sessions. In this folder a session is always tmux's own.

import { setTimeout as rest } from "node:timers/promises";
import { limits } from "../limits.js";
import type { PaneId, TeamName } from "../names/gates.js";
import { fieldsOf, newMark } from "./answer.js";
import { isEnding } from "./error.js";
import type { TmuxSessionId } from "./listing.js";
import { type PaneStart, startArguments } from "./program.js";
import { literal } from "./quote.js";
import type { Tmux } from "./tmux.js";

export interface SessionStart extends PaneStart {
  name: string;
  windowName?: string;
  /** The index of its window (default: tmux's base-index). */
  windowIndex?: number;
  width?: number;
  height?: number;
}

/** Detached. Starts the server if none runs. */
export async function newSession(
  tmux: Tmux,
  start: SessionStart,
): Promise<{ sessionId: TmuxSessionId; pane: PaneId }> {
  const { name, windowName, windowIndex, width, height } = start;
  const mark = newMark();
  const make = [
    ...["new-session", "-d", "-P", "-F", `#{session_id}${mark}#{pane_id}`, "-s", literal(name)],
    ...(windowName === undefined ? [] : ["-n", literal(windowName)]),
    ...(width === undefined ? [] : ["-x", String(width)]),
    ...(height === undefined ? [] : ["-y", String(height)]),
    ...startArguments(start),
  ];
  const target = `${exactly(name as TeamName)}:`;
  const move = ["move-window", "-s", target, "-t", `${target}${windowIndex}`];
  // In one spawn: if we are killed, no window is left at the wrong index.
  const ask = () => tmux.attempt(windowIndex === undefined ? [make] : [make, move]);
  let { stdout: printed, failure } = await ask();
  // A server whose last pane has just closed takes nothing with it that we made: ask the next one.
  for (let tries = 0; tries < limits.endingTries && isEnding(failure); tries++) {
    await rest(limits.endNoticeRestMs);
    ({ stdout: printed, failure } = await ask());
  }
  if (failure !== null && (printed === "" || !failure.message.includes("same index"))) throw failure;
  const [sessionId, pane] = fieldsOf(printed.trim(), mark, "new-session", [/^\$\d+$/, /^%\d+$/]);
  return { sessionId: sessionId as TmuxSessionId, pane: pane as PaneId };
}

type Target = TmuxSessionId | TeamName;

export async function renameSession(tmux: Tmux, session: Target, name: string): Promise<void> {
  await tmux.run(["rename-session", "-t", exactly(session), "--", literal(name)]);
}

export async function killSession(tmux: Tmux, session: Target): Promise<void> {
  await tmux.run(["kill-session", "-t", exactly(session)]);
}

/** tmux ends it by itself when its last client detaches. */
export async function endUnattended(tmux: Tmux, session: TmuxSessionId): Promise<void> {
  await tmux.run(["set-option", "-t", session, "destroy-unattached", "on"]);
}

/** A bare name would also match a longer one that begins with it. */
export function exactly(session: Target): string {
  return session.startsWith("$") ? session : `=${session}`;
}
