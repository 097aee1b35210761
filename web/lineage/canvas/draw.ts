// Paints the visible part of the picture on a canvas.
//
// Lines are collected in one path per look and stroked at once: that is what keeps thousands of sessions smooth.

import { isLit } from "../graph.js";
import type { Joint, Picture, Placed } from "../picture/picture.js";
import {
  isMarked,
  partOf,
  type Size,
  type Viewport,
  visibleJoints,
  visibleNodes,
} from "../picture/viewport.js";
import { drawAxis, drawBorders, drawGrid, drawSections } from "./draw-grounds.js";
import { drawName, nameEnd, namesFrom } from "./draw-names.js";
import type { Palette } from "./palette.js";
import { type Beginning, isHollow, sign } from "./shapes.js";

export interface Scene {
  picture: Picture;
  view: Viewport;
  screen: Size;
  palette: Palette;
  nowMs: number;
  /** The ids a search found; null without a search. */
  found: ReadonlySet<string> | null;
  hovered: string | null;
  chosen: string | null;
  /** The ids of agents that wait for a person, and of those that work. */
  waiting: ReadonlySet<string>;
  busy: ReadonlySet<string>;
}

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const { picture, view, screen } = scene;
  context.clearRect(0, 0, screen.width, screen.height);
  const part = partOf(view, screen);
  const nodes = visibleNodes(picture.nodes, part);
  if (picture.scale !== null) drawGrid(context, scene, part);
  drawBorders(context, scene);
  drawJoints(context, scene, visibleJoints(picture.joints, part));
  drawLines(context, scene, nodes);
  drawSigns(context, scene, nodes);
  if (view.k >= namesFrom) for (const node of nodes) drawName(context, scene, node);
  for (const node of nodes) if (isOutlined(scene, node)) drawOutline(context, scene, node);
  drawSections(context, scene, part);
  if (picture.scale !== null) drawAxis(context, scene, part);
}

export function isDim({ found }: Scene, { kin }: Placed): boolean {
  return found !== null && !found.has(kin.id);
}

function isOutlined({ found, chosen, hovered }: Scene, { kin: { id } }: Placed): boolean {
  return id === chosen || id === hovered || found?.has(id) === true;
}

/** Paths by look, stroked once each. */
class Pens {
  readonly #paths = new Map<string, { path: Path2D; apply: (context: CanvasRenderingContext2D) => void }>();

  path(look: string, apply: (context: CanvasRenderingContext2D) => void): Path2D {
    const known = this.#paths.get(look);
    if (known !== undefined) return known.path;
    const path = new Path2D();
    this.#paths.set(look, { path, apply });
    return path;
  }

  finish(context: CanvasRenderingContext2D, end: (path: Path2D) => void): void {
    for (const { path, apply } of this.#paths.values()) {
      context.save();
      apply(context);
      end(path);
      context.restore();
    }
  }
}

const dashes: Readonly<Record<string, readonly number[]>> = { clear: [2, 4], compact: [2, 4], team: [7, 4] };

function drawJoints(context: CanvasRenderingContext2D, scene: Scene, joints: readonly Joint[]): void {
  const { view, palette, picture } = scene;
  const pens = new Pens();
  const dots = new Path2D();
  for (const joint of joints) {
    const { child } = joint;
    const { kind = "fork", inferred = false } = child.kin.origin ?? {};
    const isFaint = isDim(scene, child);
    const isLive = isLit(child.kin.facts);
    const path = pens.path(`${kind} ${inferred} ${isFaint} ${isLive}`, (pen) => {
      pen.strokeStyle = isLive ? palette.accentLine : palette.edge;
      pen.globalAlpha = isFaint ? 0.22 : 0.9;
      pen.lineWidth = Math.max(0.75, Math.min(1.75, 1.5 * Math.sqrt(view.k)));
      pen.setLineDash([...(dashes[kind] ?? (inferred ? [4, 3] : []))]);
    });
    // In the picture of families a line begins behind its parent's name.
    const behind = picture.scale === null ? nameEnd(context, scene, joint.parent) : 0;
    const [x, y] = [joint.x * view.k + view.x + behind, joint.y * view.k + view.y];
    const [childX, childY] = [child.x * view.k + view.x, child.y * view.k + view.y];
    if (picture.scale === null) curve(path, x, y, childX, childY);
    else elbow(path, x, y, childX, childY);
    if (picture.scale !== null && view.k > 0.35 && isMarked(joint)) {
      dots.moveTo(x + 2.5, y);
      dots.arc(x, y, 2.5, 0, 2 * Math.PI);
    }
  }
  pens.finish(context, (path) => context.stroke(path));
  context.fillStyle = palette.soft;
  context.fill(dots);
}

/** Down from the parent's line, then to the right into the child's. */
function elbow(path: Path2D, x: number, y: number, childX: number, childY: number): void {
  path.moveTo(x, y);
  if (childY === y) {
    path.lineTo(childX, childY);
    return;
  }
  const turn = Math.min(10, Math.abs(childY - y) / 2, Math.max(3, childX - x));
  path.lineTo(x, childY - turn);
  path.quadraticCurveTo(x, childY, Math.min(childX, x + turn), childY);
  path.lineTo(childX, childY);
}

function curve(path: Path2D, x: number, y: number, childX: number, childY: number): void {
  const turn = Math.max(x, childX - 34);
  path.moveTo(x, y);
  path.lineTo(turn, y);
  path.bezierCurveTo(turn + 20, y, childX - 20, childY, childX, childY);
}

function drawLines(context: CanvasRenderingContext2D, scene: Scene, nodes: readonly Placed[]): void {
  const { view, palette } = scene;
  const pens = new Pens();
  for (const node of nodes) {
    if (node.length === 0) continue;
    const { life } = node.kin.facts;
    const isFaint = isDim(scene, node);
    const path = pens.path(`${life} ${isFaint}`, (pen) => {
      pen.strokeStyle = lineColour(life, palette);
      pen.globalAlpha = isFaint ? 0.2 : life === "gone" ? 0.75 : 1;
      pen.lineWidth = Math.max(1.25, Math.min(5, (isLit({ life }) ? 4.5 : 3.5) * Math.sqrt(view.k)));
      pen.lineCap = "round";
      if (life === "gone") pen.setLineDash([1, 5]);
      if (life === "background" || life === "parked") pen.setLineDash([9, 6]);
    });
    const [x, y] = [node.x * view.k + view.x, node.y * view.k + view.y];
    path.moveTo(x, y);
    path.lineTo(x + node.length * view.k, y);
  }
  pens.finish(context, (path) => context.stroke(path));
}

function lineColour(life: Placed["kin"]["facts"]["life"], palette: Palette): string {
  if (life === "running") return palette.accent;
  if (life === "background" || life === "parked") return palette.info;
  return palette.edge;
}

function drawSigns(context: CanvasRenderingContext2D, scene: Scene, nodes: readonly Placed[]): void {
  const { view, palette } = scene;
  const pens = new Pens();
  const halos = { running: new Path2D(), other: new Path2D() };
  const r = Math.max(1.6, Math.min(5.5, 5.2 * Math.sqrt(view.k)));
  for (const node of nodes) {
    const { facts, origin, id } = node.kin;
    const beginning: Beginning = origin?.kind ?? "new";
    const isFaint = isDim(scene, node);
    const colour = signColour(scene, node);
    const path = pens.path(`${colour} ${isHollow(beginning) || facts.life === "gone"} ${isFaint}`, (pen) => {
      pen.globalAlpha = isFaint ? 0.25 : 1;
      pen.strokeStyle = colour;
      pen.lineWidth = 1.75;
      pen.fillStyle = isHollow(beginning) || facts.life === "gone" ? palette.surface : colour;
    });
    const [x, y] = [node.x * view.k + view.x, node.y * view.k + view.y];
    sign(path, beginning, x, y, r);
    if (!isLit(facts) || isFaint) continue;
    // A lit conversation shines where it is now.
    const end = x + node.length * view.k;
    const glow = Math.max(6, scene.waiting.has(id) ? r * 3.1 : r * 2.3);
    const halo = facts.life === "running" ? halos.running : halos.other;
    halo.moveTo(end + glow, y);
    halo.arc(end, y, glow, 0, 2 * Math.PI);
    if (node.length > 0) sign(path, "new", end, y, r * 0.9);
  }
  context.save();
  context.globalAlpha = 0.28;
  context.fillStyle = palette.accent;
  context.fill(halos.running);
  context.fillStyle = palette.info;
  context.fill(halos.other);
  context.restore();
  pens.finish(context, (path) => {
    context.fill(path);
    context.stroke(path);
  });
}

function signColour({ palette }: Scene, { kin }: Placed): string {
  const { life } = kin.facts;
  if (life === "running") return palette.accentLine;
  return life === "background" || life === "parked" ? palette.info : palette.edge;
}

function drawOutline(context: CanvasRenderingContext2D, scene: Scene, node: Placed): void {
  const { view, palette, chosen, hovered } = scene;
  const { id } = node.kin;
  const [x, y] = [node.x * view.k + view.x, node.y * view.k + view.y];
  context.save();
  context.strokeStyle = id === chosen ? palette.ink : id === hovered ? palette.soft : palette.accentInk;
  context.lineWidth = id === chosen ? 2 : 1.5;
  const pad = 7;
  context.beginPath();
  context.roundRect(x - pad - 2, y - pad, node.length * view.k + 2 * pad + 4, 2 * pad, pad);
  context.stroke();
  context.restore();
}
