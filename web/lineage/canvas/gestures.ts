// Fingers, mouse and wheel on the picture, as pans, zooms and taps.

import type { Point } from "../picture/viewport.js";

export interface Gestures {
  pan(dx: number, dy: number): void;
  zoom(by: number, at: Point): void;
  /** Null: the pointer left. */
  hover(at: Point | null): void;
  tap(at: Point): void;
}

/** A pointer that moved less than this was a tap. */
const tapReach = 5;

/** Returns the function that ends it. */
export function listenToGestures(element: HTMLElement, gestures: Gestures): () => void {
  const ended = new AbortController();
  const { signal } = ended;
  const down = new Map<number, Point>();
  let travelled = 0;
  const place = ({ clientX, clientY }: MouseEvent): Point => {
    const box = element.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  };
  element.addEventListener(
    "pointerdown",
    (event) => {
      if (event.button !== 0) return;
      element.setPointerCapture(event.pointerId);
      if (down.size === 0) travelled = 0;
      down.set(event.pointerId, place(event));
    },
    { signal },
  );
  element.addEventListener(
    "pointermove",
    (event) => {
      const at = place(event);
      const before = down.get(event.pointerId);
      if (before === undefined) {
        gestures.hover(at);
        return;
      }
      const others = [...down].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
      down.set(event.pointerId, at);
      travelled += Math.hypot(at.x - before.x, at.y - before.y);
      const share = 1 / (others.length + 1);
      if (travelled > tapReach) gestures.pan((at.x - before.x) * share, (at.y - before.y) * share);
      const [other] = others;
      if (other !== undefined) {
        const by = distance(at, other) / Math.max(1, distance(before, other));
        gestures.zoom(by, { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 });
      }
    },
    { signal },
  );
  const lift = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return;
    if (event.type === "pointerup" && travelled <= tapReach && down.size === 0) gestures.tap(place(event));
  };
  element.addEventListener("pointerup", lift, { signal });
  element.addEventListener("pointercancel", lift, { signal });
  element.addEventListener("pointerleave", () => gestures.hover(null), { signal });
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // Lines on some mice, pixels on others.
      const unit = event.deltaMode === 1 ? 16 : 1;
      if (event.shiftKey) gestures.pan(-(event.deltaX || event.deltaY) * unit, 0);
      // A pinch on a touchpad comes as a wheel with Ctrl, in small steps. Two fingers sideways pan.
      else if (!event.ctrlKey && Math.abs(event.deltaX) > Math.abs(event.deltaY))
        gestures.pan(-event.deltaX, 0);
      else gestures.zoom(Math.exp(-event.deltaY * unit * (event.ctrlKey ? 0.01 : 0.0016)), place(event));
    },
    { signal, passive: false },
  );
  return () => ended.abort();
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
