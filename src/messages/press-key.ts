// A key for an idle agent, as `remote-control:KEY` queues it: one that changes how it works, not what it is told.
//
// [MK1] A key that would enter, end, interrupt or write something is refused: only a message does that.
// [MK2] It is pressed once, into an idle agent with an empty box. No agent tells that it got a key: pressed is all.

import type { Panes } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import type { Intent } from "../stores/queue-rows.js";
import { isKey, sendKeys } from "../tmux/keys.js";
import type { Tmux } from "../tmux/tmux.js";
import type { Delivery } from "./deliver.js";
import { see } from "./see.js";
import { stanceOf } from "./stance.js";

/** Null for a message. */
export function keyOf(intent: Intent): string | null {
  return intent.startsWith("remote-control:") ? intent.slice("remote-control:".length) : null;
}

/** Why this key is not pressed, or null. */
export function keyRefusal(key: string): string | null {
  if (!isKey(key)) return `"${key}" is no key that tmux knows`;
  const isHarmful = /^(?:[CMS]-)*(?:Enter|Escape|C-[[cdjmz\\])$/i.test(key) || /^(?:S-)?[!-~]$/.test(key);
  return isHarmful ? `${key} would enter, end, interrupt or write something` : null;
}

export async function pressKey(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  key: string,
  begin: (mark: null) => Promise<void>,
): Promise<Delivery> {
  const seen = await see(tmux, look, pane);
  const stance = "kind" in seen ? seen : stanceOf(seen);
  if (stance.kind !== "ready") return { outcome: "refused", why: stance.why, stance };
  await begin(null);
  await sendKeys(tmux, pane, [key]);
  return { outcome: "accepted", by: "key" };
}
