// A message on its way into an agent's input box: what queues and receipts stand on. `enter.ts` has the second half.
//
// [DY1] Nothing is typed unless the agent says that it is idle, and its box is seen empty; a suggestion counts as empty.
// [DY2] Text that goes into no box is refused before anything is looked at.
// [DY3] Every message is one bracketed paste: lines are one message, and no letter acts as a key in vim's modes.

import { setTimeout as rest } from "node:timers/promises";
import type { ShapedText } from "../agents/agent.js";
import { LockedError } from "../base/lock.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId } from "../names/gates.js";
import { TmuxError } from "../tmux/error.js";
import { pasteText } from "../tmux/keys.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Entry, enter, notEntered, type Stand } from "./enter.js";
import { shapeFor, shellBars } from "./fit.js";
import { type Mark, markTranscript } from "./proof.js";
import { see } from "./see.js";
import { type Say, type Stance, stanceOf } from "./stance.js";
import { textRefusal } from "./text.js";
import type { MessageWorld } from "./world.js";

export type Delivery =
  /** Nothing was typed. */
  { outcome: "refused"; why: string; stance: Stance } | Entry;

/** `look` lists the panes afresh, each time it is called. `begin` runs when nothing is typed yet, and all is clear. */
export async function deliver(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  text: string,
  begin: (mark: Mark | null) => Promise<void> = async () => {},
  release: Pick<Say, "isReleased"> = {},
): Promise<Delivery> {
  const unfit = textRefusal(text);
  if (unfit !== null) return refused({ kind: "absent", why: unfit });
  const seen = await see(tmux, look, pane);
  if ("kind" in seen) return refused(seen);
  const stance = stanceOf(seen, release);
  if (stance.kind !== "ready") return refused(stance);
  const shaped = shapeFor(seen.pane, text);
  if ("refused" in shaped) return refused({ kind: "absent", why: shaped.refused });
  const bar = shellBars(seen.pane, shaped.text);
  if (bar !== null) return refused(bar);

  const before = standOf(seen.pane, shaped);
  await begin(before.mark);
  try {
    await pasteText(tmux, pane, shaped.text);
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    return notEntered(error.message);
  }
  await rest(limits.deliverRestMs);
  return enter({ tmux, look, pane, shaped, before, say: release });
}

/** What no queue holds, a command of our own. While somebody else types there it is refused: their words would mix. */
export async function deliverInTurn(
  { stores, tmux, panes }: MessageWorld,
  address: PaneAddress,
  pane: PaneId,
  text: string,
): Promise<Delivery> {
  const work = () => deliver(tmux, panes, pane, text);
  try {
    return await stores.queues.whileDraining(address, work, limits.sendLockMs);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    const who = error.holder === null ? "something else" : `process ${error.holder.pid}`;
    return refused({ kind: "working", why: `${who} says something to it` });
  }
}

function refused(stance: Stance): Delivery {
  return { outcome: "refused", why: stance.why, stance };
}

function standOf({ live, folder }: FleetPane, message: ShapedText): Stand {
  return {
    live,
    mark: live === null || folder === null ? null : markTranscript(folder, live.sessionId, message),
  };
}
