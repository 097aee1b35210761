// The picture on its canvas: pan, zoom, hover, choose. It draws again only when something changed.

import type { Ref } from "preact";
import { useEffect, useImperativeHandle, useRef } from "preact/hooks";
import { counted } from "../../parts/ago.js";
import type { Kin } from "../graph.js";
import type { Joint, Picture, Placed } from "../picture/picture.js";
import {
  centredOn,
  fitted,
  held,
  hitAt,
  opening,
  type Point,
  panned,
  type Size,
  type Viewport,
  zoomed,
} from "../picture/viewport.js";
import { draw, type Scene } from "./draw.js";
import { listenToGestures } from "./gestures.js";
import { onTheme, type Palette, paletteOf } from "./palette.js";

/** What the buttons and the list beside the picture can ask for. */
export interface Camera {
  fit(): void;
  zoom(by: number): void;
  show(id: string): void;
}

export type Hover = { at: Point; node: Placed } | { at: Point; joint: Joint } | null;

interface Props extends Pick<Scene, "picture" | "nowMs" | "found" | "chosen" | "waiting" | "busy"> {
  camera: Ref<Camera>;
  choose(kin: Kin | null): void;
  openJoint(joint: Joint): void;
  hover(hover: Hover): void;
}

export function GraphCanvas(props: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const stage = useRef<Stage | null>(null);
  const latest = useRef(props);
  latest.current = props;
  useEffect(() => {
    stage.current = new Stage(canvas.current!, () => latest.current);
    return () => stage.current?.end();
  }, []);
  useEffect(() => stage.current?.changed(), [props]);
  useImperativeHandle(props.camera, () => ({
    fit: () => stage.current?.fit(),
    zoom: (by) => stage.current?.zoomMiddle(by),
    show: (id) => stage.current?.show(id),
  }));
  const { nodes, sections } = props.picture;
  const about = `${counted(nodes.length, "conversation")} in ${counted(sections.length, "folder")}. The list has the same ones.`;
  return (
    <canvas
      ref={canvas}
      class="lineage-canvas"
      tabIndex={0}
      role="img"
      aria-label={`The family tree of conversations: ${about} Arrow keys move the picture, plus and minus zoom, 0 shows all.`}
      onKeyDown={(event) => {
        if (stage.current?.key(event.key) === true) event.preventDefault();
      }}
    />
  );
}

const step = 80;
const keptMeasures = 1000;

/** The canvas with its part of the picture; lives as long as the element. */
class Stage {
  readonly #canvas: HTMLCanvasElement;
  readonly #props: () => Props;
  readonly #endings: (() => void)[] = [];
  #view: Viewport | null = null;
  #shown: Picture | null = null;
  #palette: Palette;
  #screen: Size = { width: 0, height: 0 };
  #hovered: string | null = null;
  #frame = 0;
  #drawn = 0;

  constructor(canvas: HTMLCanvasElement, props: () => Props) {
    this.#canvas = canvas;
    this.#props = props;
    this.#palette = paletteOf(document.body);
    const observer = new ResizeObserver(() => this.#resize());
    observer.observe(canvas);
    this.#endings.push(
      () => observer.disconnect(),
      () => cancelAnimationFrame(this.#frame),
      onTheme(() => {
        this.#palette = paletteOf(document.body);
        this.changed();
      }),
      listenToGestures(canvas, {
        pan: (dx, dy) => this.#move((view) => panned(view, dx, dy)),
        zoom: (by, at) => this.#zoom(by, at),
        hover: (at) => this.#hover(at),
        tap: (at) => this.#tap(at),
      }),
    );
  }

  end(): void {
    for (const end of this.#endings) end();
  }

  changed(): void {
    if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  fit(): void {
    this.#view = fitted(this.#props().picture, this.#screen);
    this.changed();
  }

  zoomMiddle(by: number): void {
    this.#zoom(by, { x: this.#screen.width / 2, y: this.#screen.height / 2 });
  }

  show(id: string): void {
    const node = this.#props().picture.nodes.find(({ kin }) => kin.id === id);
    if (node !== undefined) this.#move((view) => centredOn(node, view, this.#screen));
  }

  /** Whether the key moved the picture. */
  key(key: string): boolean {
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ...{ ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] },
    };
    const move = moves[key];
    if (move !== undefined) this.#move((view) => panned(view, ...move));
    else if (key === "+" || key === "=") this.zoomMiddle(1.25);
    else if (key === "-") this.zoomMiddle(0.8);
    else if (key === "0") this.fit();
    else if (key === "Escape") this.#props().choose(null);
    else return false;
    return true;
  }

  #zoom(by: number, at: Point): void {
    this.#move((view) => zoomed(view, by, at, this.#props().picture, this.#screen));
  }

  #move(change: (view: Viewport) => Viewport): void {
    if (this.#view === null) return;
    this.#view = held(change(this.#view), this.#props().picture, this.#screen);
    this.#props().hover(null);
    this.changed();
  }

  #hit(at: Point) {
    return this.#view && hitAt(this.#props().picture, this.#view, at);
  }

  #hover(at: Point | null): void {
    const hit = at && this.#hit(at);
    this.#canvas.classList.toggle("is-over", hit !== null);
    const hovered = hit !== null && "node" in hit ? hit.node.kin.id : null;
    this.#props().hover(hit === null || at === null ? null : { at, ...hit });
    if (hovered === this.#hovered) return;
    this.#hovered = hovered;
    this.changed();
  }

  #tap(at: Point): void {
    const hit = this.#hit(at);
    if (hit !== null && "joint" in hit) this.#props().openJoint(hit.joint);
    else this.#props().choose(hit?.node.kin ?? null);
  }

  #resize(): void {
    const { clientWidth: width, clientHeight: height } = this.#canvas;
    if (width === 0 || height === 0) return;
    const sharp = devicePixelRatio || 1;
    this.#screen = { width, height };
    this.#canvas.width = Math.round(width * sharp);
    this.#canvas.height = Math.round(height * sharp);
    // A resized canvas is empty; without a frame in between it would flicker.
    cancelAnimationFrame(this.#frame);
    this.#draw();
  }

  /** At the chosen session, if the address names one. */
  #begin(picture: Picture, chosen: string | null): Viewport {
    const view = opening(picture, this.#screen);
    const node = chosen === null ? undefined : picture.nodes.find(({ kin }) => kin.id === chosen);
    return node === undefined ? view : held(centredOn(node, view, this.#screen), picture, this.#screen);
  }

  #draw(): void {
    this.#frame = 0;
    const { picture, nowMs, found, chosen, waiting, busy } = this.#props();
    const screen = this.#screen;
    const context = this.#canvas.getContext("2d");
    if (context === null || screen.width === 0) return;
    const start = performance.now();
    if (this.#view === null || (this.#shown !== picture && !isSameShape(this.#shown, picture)))
      this.#view = this.#begin(picture, chosen);
    this.#shown = picture;
    const sharp = this.#canvas.width / screen.width;
    context.setTransform(sharp, 0, 0, sharp, 0, 0);
    const hovered = this.#hovered;
    draw(context, {
      ...{ picture, view: this.#view, screen, palette: this.#palette },
      ...{ nowMs, found, chosen, hovered, waiting, busy },
    });
    // The browser keeps measures until they are cleared.
    if (++this.#drawn % keptMeasures === 0) performance.clearMeasures("lineage-draw");
    performance.measure("lineage-draw", { start, end: performance.now() });
  }
}

/** Whether the same part can stay on the screen: a few new sessions do not move the picture. */
function isSameShape(before: Picture | null, after: Picture): boolean {
  if (before === null || (before.scale === null) !== (after.scale === null)) return false;
  return Math.abs(before.nodes.length - after.nodes.length) <= 3;
}
