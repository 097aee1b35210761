// Puts one message into an agent's input box. `enter.ts` has the second half: Enter and the proof.
//
// [DY1] Nothing is typed unless the agent reports that it is idle and its box is visibly empty. A suggestion counts
//       as empty.
// [DY2] A text that may go into no box is refused.
// [DY3] Every message is one bracketed paste: its lines stay one message, and no letter acts as a key in vim's
//       modes.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import { LockedError } from "../base/files/lock.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId, SessionId } from "../names/gates.js";
import { TmuxError } from "../tmux/error.js";
import { pasteText } from "../tmux/keys.js";
import { whyCutOff } from "./cut-off.js";
import { type Entry, enter, notEntered } from "./enter.js";
import { shapeFor, shellBars, textRefusal } from "./fit.js";
import { type Mark, markTranscript } from "./proof.js";
import { see } from "./see.js";
import { type PaneView, type Say, type Stance, stanceOf } from "./stance.js";
import type { MessageWorld, PaneReader } from "./world.js";

/** Nothing was typed or handed over. */
export interface Refused {
  outcome: "refused";
  why: string;
  stance: Stance;
}

export type Delivery = Refused | Entry;

export interface Hands extends PaneReader {
  env?: NodeJS.ProcessEnv;
  /** The password of the server inside an agent. */
  keyOf?: (session: SessionId) => string | null;
  /** Runs after all checks, before the first key. A string says why nothing may be typed or handed over after all. */
  begin?: (mark: Mark | null) => Promise<string | null>;
  say?: Say;
}

/** Looks at the pane, then delivers. */
export async function deliver(hands: Hands, pane: PaneId, text: string): Promise<Delivery> {
  const unfit = textRefusal(text);
  if (unfit !== null) return refused({ kind: "absent", why: unfit });
  const seen = await see(hands, pane);
  return "kind" in seen ? refused(seen) : deliverInto(hands, seen, text);
}

/** `seen` must be from this very moment, and `text` must have passed `textRefusal`. */
export async function deliverInto(hands: Hands, seen: PaneView, text: string): Promise<Delivery> {
  const { tmux, panes, begin = async () => null, say = {} } = hands;
  const pane = seen.pane.id;
  const stance = stanceOf(seen, say);
  if (stance.kind !== "ready") return refused(stance);
  const shaped = shapeFor(seen.pane, text);
  if ("refused" in shaped) return refused({ kind: "absent", why: shaped.refused });
  const bar = shellBars(seen.pane, shaped.text);
  if (bar !== null) return refused(bar);

  const { live, folder, kind } = seen.pane;
  const mark =
    live === null || folder === null
      ? null
      : markTranscript({ kind, folder, session: live.sessionId }, "keys", shaped);
  const late = await begin(mark);
  if (late !== null) return refused({ kind: "working", why: late });
  try {
    await pasteText(tmux, pane, shaped.text);
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    return notEntered(error.message);
  }
  const notBefore = performance.now() + limits.deliverRestMs;
  await rest(limits.deliverRestMs - limits.deliverLookMs);
  const restMs = agentOfKind(kind)?.keyboard?.pasteRestMs ?? 0;
  return enter({ tmux, panes, pane, shaped, restMs, before: { live, mark }, say, notBefore });
}

/** Delivers a command of our own past the queue. Refused while another process types there: the words would mix. */
export async function deliverInTurn(
  world: PaneReader & Pick<MessageWorld, "env" | "stores">,
  agent: AgentId | null,
  pane: PaneId,
  text: string,
): Promise<Delivery> {
  const work = () => deliver({ ...world, say: { cutOff: () => whyCutOff(world) } }, pane, text);
  // Nobody can send to an agent that the roster does not know, so no lock is needed.
  if (agent === null) return work();
  try {
    return await world.stores.queues.whileDraining(agent, work, limits.sendLockMs);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    const who = error.holder === null ? "another process" : `process ${error.holder.pid}`;
    return refused({ kind: "working", why: `${who} is typing into it` });
  }
}

function refused(stance: Stance): Refused {
  return { outcome: "refused", why: stance.why, stance };
}
