// Whether and how one message goes into one pane. Pure.
//
// [FT1] Where a shell would get the keys of an agent that ends, only one line is typed: a shell runs a line at its end.
//       A message of several lines waits, and the reason is told.

import type { Shaped, ShapedText } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Stance } from "./stance.js";
import { textRefusal } from "./text.js";

type Place = Pick<FleetPane, "kind" | "width" | "height">;

/** What is pasted into the box of this pane's agent. */
export function shapeFor({ kind, width, height }: Place, text: string): Shaped {
  const shape = agentOfKind(kind)?.shapeText;
  return shape?.(text, { columns: width, rows: height }) ?? { text, isCommand: false };
}

/** How it may have been pasted, also when the pane had another size then. */
export function formsFor(place: Place, text: string): ShapedText[] {
  const sizes = [place, { ...place, width: 1_000, height: 1_000 }, { ...place, width: 1, height: 1 }];
  return sizes.map((size) => shapeFor(size, text)).filter((shaped) => "text" in shaped);
}

/** Why this message never goes into this pane, or null. */
export function whyUnfit(place: Place, text: string): string | null {
  const refusal = textRefusal(text);
  if (refusal !== null) return refusal;
  const shaped = shapeFor(place, text);
  return "refused" in shaped ? shaped.refused : null;
}

/** Why this pasted text has to wait, or null. */
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
