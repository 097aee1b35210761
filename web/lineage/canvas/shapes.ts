// The signs of the picture, for the canvas and for the legend: the form says how a conversation began.

import type { LineageKind } from "../../../src/transcripts/lineage/lineage.js";

export type Beginning = LineageKind | "new";

/** Adds the sign to the path, centred, about 2 × `r` wide. */
export function sign(
  path: Pick<CanvasPath, "moveTo" | "lineTo" | "arc" | "closePath" | "rect">,
  beginning: Beginning,
  x: number,
  y: number,
  r: number,
): void {
  switch (beginning) {
    case "branch":
      path.rect(x - r * 0.88, y - r * 0.88, r * 1.76, r * 1.76);
      return;
    case "compact":
      corners(path, x, y, [0, -1.25, 1.25, 0, 0, 1.25, -1.25, 0], r);
      return;
    case "team":
      corners(path, x, y, [0, -1.25, 1.15, 0.85, -1.15, 0.85], r);
      return;
    default:
      path.moveTo(x + r, y);
      path.arc(x, y, r, 0, 2 * Math.PI);
  }
}

/** A ring instead of a disc: the conversation began empty in the place of another. */
export function isHollow(beginning: Beginning): boolean {
  return beginning === "clear";
}

export const beginningWords: Readonly<Record<Beginning, string>> = {
  new: "new conversation",
  fork: "fork",
  branch: "branch",
  clear: "cleared",
  compact: "compacted",
  team: "started by its lead",
};

function corners(
  path: Pick<CanvasPath, "moveTo" | "lineTo" | "closePath">,
  x: number,
  y: number,
  at: readonly number[],
  r: number,
): void {
  path.moveTo(x + at[0]! * r, y + at[1]! * r);
  for (let i = 2; i < at.length; i += 2) path.lineTo(x + at[i]! * r, y + at[i + 1]! * r);
  path.closePath();
}
