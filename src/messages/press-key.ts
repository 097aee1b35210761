// A key for an idle agent, as `remote-control:KEY` queues it: one that changes how it works, not what it is told.
//
// [MK1] Only keys are pressed of which it is known that they enter, end, interrupt and write nothing: a message does that.
// [MK2] It is pressed once, into an idle agent with an empty box. No agent tells that it got a key: pressed is all.

import type { Panes } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import type { Intent } from "../stores/queue-rows.js";
import { sendKeys } from "../tmux/keys.js";
import type { Tmux } from "../tmux/tmux.js";
import type { Delivery } from "./deliver.js";
import { see } from "./see.js";
import { type Say, stanceOf } from "./stance.js";

/** Null for a message. */
export function keyOf(intent: Intent): string | null {
  return intent.startsWith("remote-control:") ? intent.slice("remote-control:".length) : null;
}

/** Why this key is not pressed, or null. */
export function keyRefusal(key: string): string | null {
  if (harmlessKeys.includes(key)) return null;
  return `${key} could enter, end, interrupt or write something; pressed are only ${harmlessKeys.join(", ")}`;
}

export async function pressKey(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  key: string,
  begin: (mark: null) => Promise<void>,
  release: Pick<Say, "isReleased"> = {},
): Promise<Delivery> {
  const seen = await see(tmux, look, pane);
  const stance = "kind" in seen ? seen : stanceOf(seen, release);
  if (stance.kind !== "ready") return { outcome: "refused", why: stance.why, stance };
  await begin(null);
  await sendKeys(tmux, pane, [key]);
  return { outcome: "accepted", by: "key" };
}

/**
 * What switches the client's modes (BTab, M-m, M-o, M-t) or tidies its screen and its empty box. Arrows, Tab and C-y bring
 * old words or a suggestion into the box; with several modifiers tmux sends Enter and C-c too, or types the key's name.
 */
const harmlessKeys: readonly string[] = ["BTab", "C-l", "C-t", "C-u", "M-m", "M-o", "M-t"];
