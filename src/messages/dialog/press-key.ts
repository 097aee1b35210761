// Presses a key in an idle agent, as `remote-control:KEY` queues it. Such a key changes the agent's mode, not its
// task.
//
// - Only harmless keys are pressed: keys that never submit, end, interrupt or write anything.
// - The key is pressed once, into an idle agent with an empty box. No agent confirms a key, so `pressed` is the
//   result.

import type { Intent } from "../../stores/queue/queue-rows.js";
import { sendKeys } from "../../tmux/keys.js";
import type { Delivery, Hands } from "../deliver.js";
import { type PaneView, stanceOf } from "../stance.js";

/** Null for a message. */
export function keyOf(intent: Intent): string | null {
  return intent.startsWith("remote-control:") ? intent.slice("remote-control:".length) : null;
}

/** The reason why this key is refused, or null. */
export function keyRefusal(key: string): string | null {
  if (harmlessKeys.includes(key)) return null;
  return `${key} could submit, end, interrupt or write something; allowed keys: ${harmlessKeys.join(", ")}`;
}

/** `seen` must be from this very moment. */
export async function pressKey(
  { tmux, begin = async () => null, say = {} }: Hands,
  seen: PaneView,
  key: string,
): Promise<Delivery> {
  const stance = stanceOf(seen, say);
  if (stance.kind !== "ready") return { outcome: "refused", why: stance.why, stance };
  const late = await begin(null);
  if (late !== null) return { outcome: "refused", why: late, stance: { kind: "working", why: late } };
  await sendKeys(tmux, seen.pane.id, [key]);
  return { outcome: "accepted", by: "key" };
}

/**
 * Keys that switch the client's modes (BTab, M-m, M-o, M-t) or redraw its screen and its empty box. Arrows, Tab and
 * C-y bring old words or a suggestion into the box. With several modifiers tmux also sends Enter and C-c, or types
 * the key's name.
 */
const harmlessKeys: readonly string[] = ["BTab", "C-l", "C-t", "C-u", "M-m", "M-o", "M-t"];
