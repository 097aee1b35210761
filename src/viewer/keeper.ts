// The keeper: one tmux client that counts for sizes, attached to its own tmux session.
//
// tmux honours a client's ignore-size only while a client without it is attached somewhere on the server. Without
// the keeper every team would shrink to the viewer's size as soon as no other client is attached. Its terminal is a
// screen session next to the viewer's, so that it outlives the viewer's clients however those end.
//
// While the viewer runs, and when it ends, no team takes its size from it. The keeper ends by itself soon after the
// viewer.

import { HiveError } from "../base/errors.js";
import { isZombie } from "../base/system/sh-lines.js";
import { until } from "../base/until.js";
import { limits } from "../limits.js";
import { keeperName } from "../names/keeper-name.js";
import { newSession as newScreen } from "../screen/session.js";
import { findTmuxSession, listServer, type TmuxSessionId } from "../tmux/listing.js";
import { attachCommand, attachedClients } from "../tmux/server.js";
import { endUnattended, killSession, newSession } from "../tmux/session.js";
import type { Tmux } from "../tmux/tmux.js";
import type { ViewerWorld } from "./world.js";

/** An ended process may stay in the process table as a zombie. */
const whileItLives = `while kill -0 "$1" 2>/dev/null && ! ${isZombie}; do sleep 2; done`;
/** tmux gives new windows the size of a client that counts, so this one has the default size of teams. */
const sized = 'stty cols "$1" rows "$2"; shift 2; exec "$@"';

export async function ensureKeeper({ tmux, screen }: ViewerWorld, viewerPid: number): Promise<void> {
  const listing = await listServer(tmux);
  const old = findTmuxSession(listing, keeperName);
  const pane = listing.panes.find(({ sessionId }) => sessionId === old);
  const isOurs = pane !== undefined && pane.startCommand.match(/\d+/g)?.at(-1) === String(viewerPid);
  if (isOurs && (await hasClient(tmux, pane.sessionId))) return;
  if (old !== null) await killSession(tmux, old);
  const { birthWidth: width, birthHeight: height } = limits;
  const argv = ["sh", "-c", whileItLives, "sh", String(viewerPid)];
  const { sessionId } = await newSession(tmux, { name: keeperName, argv, width, height });
  // One line more, for tmux's status line.
  const size = [String(width), String(height + 1)];
  const attach = attachCommand(tmux, keeperName, "read-only");
  await newScreen(screen, {
    name: keeperName,
    title: keeperName,
    argv: ["sh", "-c", sized, "sh", ...size, ...attach],
  });
  await untilAttached(tmux, sessionId);
  // Without a client tmux would end it at once, so this comes last.
  await endUnattended(tmux, sessionId);
}

/** Its client and that client's screen end with its tmux session. */
export async function endKeeper(tmux: Tmux): Promise<void> {
  const keeper = findTmuxSession(await listServer(tmux), keeperName);
  if (keeper !== null) await killSession(tmux, keeper);
}

async function untilAttached(tmux: Tmux, session: TmuxSessionId): Promise<void> {
  const bounds = { withinMs: limits.viewerAttachMs, pollMs: limits.viewerPollMs };
  if (await until(() => hasClient(tmux, session), Boolean, bounds)) return;
  throw new HiveError(`no client attached to ${keeperName}`, { hint: "hivemind monitor reset" });
}

async function hasClient(tmux: Tmux, session: TmuxSessionId): Promise<boolean> {
  return (await attachedClients(tmux)).some(
    ({ sessionId, ignoresSize }) => sessionId === session && !ignoresSize,
  );
}
