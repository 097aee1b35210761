// Decides whether and how one message goes into one pane. Pure.
//
// - A text that is empty, or that could act as keys, goes into no box.
// - If a shell would get the keys when the agent ends, only one line is typed: a shell runs each line at its end. A
//   message of several lines stays queued, with that reason.

import { agentOfKind } from "../agents/all.js";
import type { Shaped, ShapedText } from "../agents/box.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { Stance } from "./stance.js";

type Place = Pick<FleetPane, "kind" | "width" | "height">;

/** The text to paste into the box of this pane's agent. */
export function shapeFor({ kind, width, height }: Place, text: string): Shaped {
  const shape = agentOfKind(kind)?.keyboard?.shapeText;
  return shape?.(text, { columns: width, rows: height }) ?? { text, isCommand: false };
}

/** Every form in which the text may have been pasted, including for other pane sizes. */
export function formsFor(place: Place, text: string): ShapedText[] {
  const sizes = [place, { ...place, width: 1_000, height: 1_000 }, { ...place, width: 1, height: 1 }];
  return sizes.map((size) => shapeFor(size, text)).filter((shaped) => "text" in shaped);
}

/** The reason why this message never goes into this pane, or null. */
export function whyUnfit(place: Place, text: string): string | null {
  const refusal = textRefusal(text);
  if (refusal !== null) return refusal;
  const shaped = shapeFor(place, text);
  return "refused" in shaped ? shaped.refused : null;
}

/** The reason why this pasted text has to wait, or null. */
export function shellBars(
  { isBehindShell }: Pick<FleetPane, "isBehindShell">,
  pasted: string,
): Stance | null {
  if (!isBehindShell || !pasted.includes("\n")) return null;
  return {
    kind: "working",
    why: "its agent was started from a shell, which would run the lines if it ended now",
  };
}

/** The reason why this text goes into no box, or null. */
export function textRefusal(text: string): string | null {
  if (text.trim() === "") return "the message is empty";
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return "the message has control characters";
  return null;
}

export function excerptOf(text: string): string {
  return text.length > limits.messageExcerpt ? `${text.slice(0, limits.messageExcerpt)}…` : text;
}
