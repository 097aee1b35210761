// Draws the context chart with uPlot, in the colours of the page, and again when the theme or the size changes.

import UPlot from "uplot";
import { onTheme, type Palette, paletteOf } from "../lineage/canvas/palette.js";
import { type ContextHistory, chartData, type Readout, tokenRange, tokenWords } from "./context-figures.js";

export class ChartPainter {
  readonly #box: HTMLElement;
  readonly #read: (readout: Readout | null) => void;
  readonly #endings: (() => void)[];
  #history: ContextHistory;
  #plot: UPlot;

  constructor(box: HTMLElement, history: ContextHistory, read: (readout: Readout | null) => void) {
    this.#box = box;
    this.#history = history;
    this.#read = read;
    this.#plot = this.#make();
    const observer = new ResizeObserver(() => this.#plot.setSize(sizeOf(box)));
    observer.observe(box);
    this.#endings = [() => observer.disconnect(), onTheme(() => this.#again())];
  }

  show(history: ContextHistory): void {
    if (history === this.#history) return;
    this.#history = history;
    this.#again();
  }

  end(): void {
    for (const end of this.#endings) end();
    this.#plot.destroy();
  }

  #again(): void {
    this.#plot.destroy();
    this.#plot = this.#make();
  }

  #make(): UPlot {
    const palette = paletteOf(this.#box);
    const history = this.#history;
    const options: UPlot.Options = {
      ...sizeOf(this.#box),
      padding: [16, 12, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { size: 8, fill: palette.accentLine, stroke: palette.surface, width: 2 } },
      scales: {
        x: { range: (_, from, to) => (from === to ? [from - halfHour, to + halfHour] : [from, to]) },
        y: { range: () => tokenRange(history) },
      },
      axes: [
        { ...axis(palette), size: 34, values: (_, ticks, __, ___, step) => timeLabels(ticks, step) },
        { ...axis(palette), size: 56, values: (_, ticks) => ticks.map(tokenWords) },
      ],
      series: [
        {},
        {
          stroke: palette.accentLine,
          width: 2,
          fill: (plot) => shade(plot, palette.accent),
          points: { show: history.points.length < 3, size: 7, fill: palette.accentLine },
        },
      ],
      hooks: {
        draw: [(plot) => drawMarks(plot, history, palette)],
        setCursor: [(plot) => this.#read(readoutAt(plot, history))],
      },
    };
    return new UPlot(options, chartData(history), this.#box);
  }
}

/** Around a single answer, in seconds. */
const halfHour = 1800;

function sizeOf({ clientWidth }: HTMLElement): { width: number; height: number } {
  return { width: Math.max(200, clientWidth), height: clientWidth < 500 ? 240 : 320 };
}

function axis(palette: Palette): UPlot.Axis {
  return {
    stroke: palette.faint,
    font: `11px ${palette.font}`,
    grid: { stroke: palette.line, width: 1 },
    ticks: { show: false },
    space: 60,
  };
}

/** The clock, and the day where it changes. */
function timeLabels(seconds: readonly number[], step: number): string[] {
  const day = (second: number) =>
    new Date(second * 1000).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
  return seconds.map((second, at) => {
    const before = seconds[at - 1];
    const isNewDay = before === undefined ? false : day(before) !== day(second);
    if (step >= 86_400 || isNewDay) return day(second);
    return new Date(second * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  });
}

/** Denser towards the line. */
function shade(plot: UPlot, colour: string): CanvasGradient | string {
  const { top, height } = plot.bbox;
  if (!Number.isFinite(top) || height === 0) return colour;
  const gradient = plot.ctx.createLinearGradient(0, top, 0, top + height);
  const { 0: red, 1: green, 2: blue } = colour.match(/\d+/g) ?? ["0", "0", "0"];
  gradient.addColorStop(0, `rgba(${red}, ${green}, ${blue}, 0.42)`);
  gradient.addColorStop(1, `rgba(${red}, ${green}, ${blue}, 0.04)`);
  return gradient;
}

/** The window as a line, and a mark per compaction. */
function drawMarks(plot: UPlot, { window, compactions }: ContextHistory, palette: Palette): void {
  const { ctx, bbox } = plot;
  const sharp = devicePixelRatio || 1;
  ctx.save();
  ctx.lineWidth = sharp;
  ctx.font = `${11 * sharp}px ${palette.font}`;
  const top = plot.scales.y?.max ?? 0;
  if (window !== null && window <= top) {
    const y = Math.round(plot.valToPos(window, "y", true));
    ctx.strokeStyle = palette.bad;
    ctx.fillStyle = palette.bad;
    ctx.setLineDash([6 * sharp, 4 * sharp]);
    line(ctx, bbox.left, y, bbox.left + bbox.width, y);
    ctx.textAlign = "right";
    ctx.fillText(`window ${tokenWords(window)}`, bbox.left + bbox.width - 4 * sharp, y + 14 * sharp);
  }
  ctx.setLineDash([2 * sharp, 3 * sharp]);
  ctx.strokeStyle = palette.info;
  ctx.fillStyle = palette.info;
  ctx.textAlign = "center";
  for (const { at } of compactions) {
    if (at === null) continue;
    const x = Math.round(plot.valToPos(Date.parse(at) / 1000, "x", true));
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    line(ctx, x, bbox.top, x, bbox.top + bbox.height);
    ctx.fillText("◆", x, bbox.top - 3 * sharp);
  }
  ctx.restore();
}

function line(ctx: CanvasRenderingContext2D, x: number, y: number, toX: number, toY: number): void {
  ctx.beginPath();
  ctx.moveTo(x, y);
  ctx.lineTo(toX, toY);
  ctx.stroke();
}

function readoutAt(plot: UPlot, { window }: ContextHistory): Readout | null {
  const at = plot.cursor.idx;
  const used = at == null ? null : plot.data[1]?.[at];
  if (at == null || used == null) return null;
  return {
    time: new Date(plot.data[0][at]! * 1000).toLocaleString("en-GB", {
      dateStyle: "medium",
      timeStyle: "short",
    }),
    used: `${tokenWords(used)} tokens`,
    share: window === null ? null : `${Math.round((100 * used) / window)} %`,
  };
}
