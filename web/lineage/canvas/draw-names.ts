// The names of the sessions: above their lines, or behind their signs in the picture of families.

import { isLit, nameOf, roleOf } from "../graph.js";
import type { Placed } from "../picture/picture.js";
import { isDim, type Scene } from "./draw.js";
import { fittingText } from "./fitting-text.js";

/** Below this scale the rows are too close for names. */
export const namesFrom = 0.5;

/** Names that would be shorter are left out. */
const leastRoom = 34;
/** Between a sign and the name behind it. */
const behindSign = 13;

interface Word {
  text: string;
  width: number;
  font: string;
  colour: string;
}

export function drawName(context: CanvasRenderingContext2D, scene: Scene, node: Placed): void {
  const { view, palette } = scene;
  const isAbove = node.length > 0;
  const left = node.x * view.k + view.x;
  // The name of a line that begins left of the screen stays in sight.
  const x = isAbove ? Math.max(left + 2, Math.min(14, left + node.length * view.k - 90)) : left + behindSign;
  const y = node.y * view.k + view.y + (isAbove ? -11 : 0.5);
  context.globalAlpha = isDim(scene, node) ? 0.3 : 1;
  context.textBaseline = isAbove ? "alphabetic" : "middle";
  // Lines behind a name end at its letters.
  context.strokeStyle = palette.surface;
  context.lineWidth = 3;
  context.lineJoin = "round";
  let at = x;
  for (const { text, width, font, colour } of wordsOf(context, scene, node, x - left)) {
    context.font = font;
    context.fillStyle = colour;
    context.strokeText(text, at, y);
    context.fillText(text, at, y);
    at += width + 7;
  }
  context.globalAlpha = 1;
}

/** How far right of its sign a name reaches, in pixels of the screen. */
export function nameEnd(context: CanvasRenderingContext2D, scene: Scene, node: Placed): number {
  if (scene.view.k < namesFrom) return 0;
  const words = wordsOf(context, scene, node, behindSign);
  return words.reduce((end, { width }) => end + width + 7, behindSign);
}

/** The role, the title and the compactions, as far as there is room; `used` is the room before the name. */
function wordsOf(context: CanvasRenderingContext2D, scene: Scene, node: Placed, used: number): Word[] {
  const { palette, view } = scene;
  const { kin, room } = node;
  const { facts } = kin;
  let left = room * view.k - used - 6;
  if (left < leastRoom) return [];
  const words: Word[] = [];
  const add = (text: string, most: number, font: string, colour: string) => {
    context.font = font;
    const shown = fittingText(context, text, Math.min(most, left));
    if (shown.text === "") return;
    words.push({ ...shown, font: context.font, colour });
    left -= shown.width + 7;
  };
  const isLive = isLit(facts);
  const role = roleOf(facts);
  if (role !== null && facts.title && facts.title !== role)
    add(role, 110, `600 11.5px ${palette.font}`, isLive ? palette.accentInk : palette.soft);
  const quiet = facts.life === "gone" ? palette.faint : palette.soft;
  add(nameOf(kin), left, `${isLive ? 500 : 400} 12px ${palette.font}`, isLive ? palette.ink : quiet);
  if ((facts.compactions ?? 0) > 0 && left > 22)
    add(`◆ ${facts.compactions}`, left, `11px ${palette.font}`, palette.faint);
  return words;
}
