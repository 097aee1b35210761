// The keeper: one tmux client that counts, attached to a tmux session of its own.
//
// tmux takes no notice of a client's ignore-size only while a client without it is attached somewhere on the server:
// without the keeper every team would shrink to the viewer's size as soon as nobody else looks. Its terminal is a screen
// session beside the viewer's, so that it outlives the viewer's clients however those end.
//
// [VK1] While the viewer runs, and when it ends, no team takes its size from it.
// [VK2] The keeper ends by itself soon after the viewer, whatever became of that.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { keeperName } from "../names/keeper-name.js";
import { newSession as newScreen } from "../screen/session.js";
import { attachCommand } from "../tmux/client.js";
import { findTmuxSession, listServer, type TmuxSessionId } from "../tmux/listing.js";
import { attachedClients } from "../tmux/server.js";
import { endUnattended, killSession, newSession } from "../tmux/session.js";
import type { Tmux } from "../tmux/tmux.js";
import type { ViewerWorld } from "./world.js";

/** A process that ended may stand in the table until somebody collects it. */
const isEnded = 'grep -q "^State:.Z" "/proc/$1/status" 2>/dev/null';
const whileItLives = `while kill -0 "$1" 2>/dev/null && ! ${isEnded}; do sleep 2; done`;
/** tmux gives new windows the size of a client that counts, so this one has the size that teams are born with. */
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
  // With a line for tmux's status.
  const size = [String(width), String(height + 1)];
  const attach = attachCommand(tmux, keeperName, "read-only");
  await newScreen(screen, {
    name: keeperName,
    title: keeperName,
    argv: ["sh", "-c", sized, "sh", ...size, ...attach],
  });
  await untilAttached(tmux, sessionId);
  // Before it has a client tmux would end it at once.
  await endUnattended(tmux, sessionId);
}

/** Its client and that one's screen end with its tmux session. */
export async function endKeeper(tmux: Tmux): Promise<void> {
  const keeper = findTmuxSession(await listServer(tmux), keeperName);
  if (keeper !== null) await killSession(tmux, keeper);
}

async function untilAttached(tmux: Tmux, session: TmuxSessionId): Promise<void> {
  const end = performance.now() + limits.viewerAttachMs;
  while (!(await hasClient(tmux, session))) {
    if (performance.now() > end)
      throw new HiveError(`no client attached to ${keeperName}`, { hint: "hivemind monitor reset" });
    await rest(limits.viewerPollMs);
  }
}

async function hasClient(tmux: Tmux, session: TmuxSessionId): Promise<boolean> {
  return (await attachedClients(tmux)).some(
    ({ sessionId, ignoresSize }) => sessionId === session && !ignoresSize,
  );
}
