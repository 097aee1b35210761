// What the sessions lie on: the folders, the days, and now.

import { type Tick, ticksOf } from "../picture/time-scale.js";
import type { Part } from "../picture/viewport.js";
import type { Scene } from "./draw.js";
import { fittingText } from "./fitting-text.js";

export const axisHeight = 30;

/** A line above each folder. */
export function drawBorders(
  context: CanvasRenderingContext2D,
  { picture, view, screen, palette }: Scene,
): void {
  context.fillStyle = palette.line;
  for (const { y } of picture.sections) {
    const top = Math.round(y * view.k + view.y);
    if (top > 0 && top < screen.height) context.fillRect(0, top, screen.width, 1);
  }
}

/** The folders' names, above everything. A name stays in sight at the left while some of its folder is. */
export function drawSections(context: CanvasRenderingContext2D, scene: Scene, part: Part): void {
  const { picture, view, screen, palette } = scene;
  const top = picture.scale === null ? 0 : axisHeight;
  for (const { folder, count, y, height } of picture.sections) {
    if (y > part.bottom || y + height < part.top) continue;
    const [from, to] = [y * view.k + view.y, (y + height) * view.k + view.y];
    if (to - from < 15) continue;
    const line = Math.min(Math.max(from, top) + 18, to - 6);
    context.textBaseline = "alphabetic";
    context.font = `600 12px ${palette.font}`;
    const shown = fittingText(
      context,
      folder === null ? "unknown folder" : lastOf(folder),
      screen.width - 120,
    );
    const soften = (left: number, width: number) => {
      context.globalAlpha = 0.82;
      context.fillStyle = palette.surface;
      context.fillRect(left - 4, line - 13, width + 8, 18);
      context.globalAlpha = 1;
    };
    soften(14, shown.width);
    context.fillStyle = palette.soft;
    context.fillText(shown.text, 14, line);
    context.font = `11px ${palette.font}`;
    const about = folder === null ? `${count}` : `${count} · ${folder}`;
    context.fillText(
      fittingText(context, about, screen.width - shown.width - 44).text,
      22 + shown.width,
      line,
    );
  }
}

/** The days and now, behind everything. */
export function drawGrid(context: CanvasRenderingContext2D, scene: Scene, part: Part): void {
  const { view, screen, palette } = scene;
  for (const { place, isMajor } of ticksIn(scene, part)) {
    context.globalAlpha = isMajor ? 1 : 0.55;
    context.fillStyle = palette.line;
    context.fillRect(Math.round(place * view.k + view.x), axisHeight, 1, screen.height);
  }
  context.globalAlpha = 1;
  context.save();
  context.strokeStyle = palette.accentLine;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.beginPath();
  context.moveTo(nowAt(scene) + 0.5, axisHeight);
  context.lineTo(nowAt(scene) + 0.5, screen.height);
  context.stroke();
  context.restore();
}

/** The names of the days at the upper edge, above everything. */
export function drawAxis(context: CanvasRenderingContext2D, scene: Scene, part: Part): void {
  const { view, screen, palette } = scene;
  context.fillStyle = palette.surface;
  context.fillRect(0, 0, screen.width, axisHeight);
  context.fillStyle = palette.line;
  context.fillRect(0, axisHeight, screen.width, 1);
  context.textBaseline = "middle";
  for (const { place, label, isMajor } of ticksIn(scene, part)) {
    context.font = `${isMajor ? 600 : 400} 11px ${palette.font}`;
    context.fillStyle = isMajor ? palette.soft : palette.faint;
    context.fillText(label, Math.round(place * view.k + view.x) + 5, axisHeight / 2 + 0.5);
  }
  context.font = `600 11px ${palette.font}`;
  context.fillStyle = palette.accentInk;
  context.fillText("now", nowAt(scene) + 5, axisHeight / 2 + 0.5);
}

function ticksIn({ picture, view }: Scene, part: Part): Tick[] {
  const scale = picture.scale!;
  const apart = 84 / view.k;
  const last = scale.placeOf(Number.POSITIVE_INFINITY) - apart * 0.6;
  return ticksOf(scale, Math.max(0, part.left), Math.min(last, part.right), apart);
}

function nowAt({ picture, view }: Scene): number {
  return Math.round(picture.scale!.placeOf(Number.POSITIVE_INFINITY) * view.k + view.x);
}

function lastOf(folder: string): string {
  return folder.split("/").findLast((part) => part !== "") ?? folder;
}
