// Which part of the picture is on the screen: pan, zoom, and what is visible. Pure.

import type { Joint, Picture, Placed } from "./picture.js";
import { sizes } from "./picture.js";

/** A point of the picture is at `point * k + offset` on the screen. */
export interface Viewport {
  x: number;
  y: number;
  k: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

const margin = 28;
const largest = 3;
/** From this scale on names are readable beside each other. */
const readable = 0.78;

/** The whole picture, but never so large that a small one looks inflated. */
export function fitted(picture: Size & Pick<Picture, "scale">, screen: Size): Viewport {
  const k = Math.min(
    1.15,
    (screen.width - 2 * margin) / Math.max(1, picture.width),
    (screen.height - 2 * margin) / Math.max(1, picture.height),
  );
  return centred(picture, screen, Math.max(k, 0.01));
}

/** Where to begin: everything if its names are readable, else the newest part, readable, of the folder used last. */
export function opening(picture: Picture, screen: Size): Viewport {
  const whole = fitted(picture, screen);
  if (whole.k >= readable) return whole;
  const k = Math.max(whole.k, readable);
  const isWider = picture.width * k > screen.width - 2 * margin;
  const atNow = screen.width - margin - picture.width * k;
  const x = isWider
    ? picture.scale === null
      ? margin
      : atNow
    : whole.x + (picture.width * (whole.k - k)) / 2;
  return { k, x, y: topOf(picture) };
}

function centred(picture: Size & Pick<Picture, "scale">, screen: Size, k: number): Viewport {
  return {
    k,
    x: Math.max(margin, (screen.width - picture.width * k) / 2),
    // A small picture stands at the top, where reading begins.
    y: topOf(picture),
  };
}

/** Below the axis, if there is one. */
function topOf({ scale }: Pick<Picture, "scale">): number {
  return scale === null ? 0 : margin + 2;
}

export function panned({ x, y, k }: Viewport, dx: number, dy: number): Viewport {
  return { x: x + dx, y: y + dy, k };
}

/** What is under `at` stays there. */
export function zoomed(
  { x, y, k }: Viewport,
  by: number,
  at: Point,
  picture: Picture,
  screen: Size,
): Viewport {
  const least = Math.min(fitted(picture, screen).k * 0.7, 0.5);
  const next = Math.max(least, Math.min(largest, k * by));
  const share = next / k;
  return { k: next, x: at.x - (at.x - x) * share, y: at.y - (at.y - y) * share };
}

/** Some of the picture always stays on the screen. */
export function held(view: Viewport, picture: Size, screen: Size): Viewport {
  const keep = (offset: number, length: number, room: number) => {
    const stays = Math.min(120, length / 2);
    return Math.max(stays - length, Math.min(room - stays, offset));
  };
  return {
    k: view.k,
    x: keep(view.x, picture.width * view.k, screen.width),
    y: keep(view.y, picture.height * view.k, screen.height),
  };
}

/** Brings a session to where it is seen best, at a readable size: a card covers the lower left. */
export function centredOn({ x, y, length }: Placed, { k }: Viewport, screen: Size): Viewport {
  const next = Math.max(k, 1);
  // Of a long line the beginning is shown, where its name is.
  const middle = x + Math.min(length, screen.width / 3 / next) / 2;
  return { k: next, x: screen.width * 0.52 - middle * next, y: screen.height * 0.26 - y * next };
}

/** The part of the picture on the screen. */
export interface Part {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function partOf({ x, y, k }: Viewport, { width, height }: Size): Part {
  return { left: -x / k, top: -y / k, right: (width - x) / k, bottom: (height - y) / k };
}

/** A name is above its line and to the right, so a little more than the part counts. */
export function visibleNodes(nodes: readonly Placed[], part: Part): Placed[] {
  return nodes.filter(
    ({ x, y, length, room }) =>
      y > part.top - sizes.row &&
      y < part.bottom + sizes.row &&
      x < part.right + sizes.gap &&
      x + Math.max(length, room) > part.left - sizes.gap,
  );
}

export function visibleJoints(joints: readonly Joint[], part: Part): Joint[] {
  return joints.filter(({ x, y, child }) => {
    const [left, right] = [Math.min(x, child.x), Math.max(x, child.x)];
    const [top, bottom] = [Math.min(y, child.y), Math.max(y, child.y)];
    return right >= part.left && left <= part.right && bottom >= part.top && top <= part.bottom;
  });
}

/** What is under a point of the screen: the point of a fork before a session, and of several the nearest. */
export function hitAt(
  { nodes, joints }: Pick<Picture, "nodes" | "joints">,
  view: Viewport,
  at: Point,
): { node: Placed } | { joint: Joint } | null {
  const [x, y] = [(at.x - view.x) / view.k, (at.y - view.y) / view.k];
  const reach = Math.max(5, 9 / view.k);
  const joint = nearest(joints, (each) => Math.hypot(each.x - x, each.y - y), reach * 0.8);
  const node = nearest(nodes, (each) => distanceTo(each, x, y, view.k), reach);
  const isHead = node !== null && Math.hypot(node.x - x, node.y - y) <= reach;
  if (joint !== null && !isHead && isMarked(joint)) return { joint };
  return node && { node };
}

/** A child that goes on where its parent ended has no point of its own to click. */
export function isMarked({ x, y, child, parent }: Joint): boolean {
  return child.y !== y && Math.hypot(x - parent.x, y - parent.y) > 6;
}

/** From the line, or 0 on the name above it. */
function distanceTo({ x, y, length, room }: Placed, px: number, py: number, k: number): number {
  const isOnName = k > 0.5 && px > x && px < x + Math.min(room, sizes.nameRoom) && py < y && py > y - 22 / k;
  if (isOnName && length > 0) return 1;
  const end = length > 0 ? x + length : x + (k > 0.5 ? Math.min(room, sizes.nameRoom) : 0);
  return Math.hypot(px - Math.max(x, Math.min(end, px)), py - y);
}

function nearest<T>(all: readonly T[], distance: (each: T) => number, most: number): T | null {
  let [found, least] = [null as T | null, most];
  for (const each of all) {
    const far = distance(each);
    if (far <= least) [found, least] = [each, far];
  }
  return found;
}
