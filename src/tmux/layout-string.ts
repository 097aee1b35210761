// The shape of a window as tmux writes it. Pure.
//
// From 3.8 on tmux writes JSON. It still reads the form of all earlier versions, which hivemind keeps in its files: a
// layout that was saved on one version is restored on another. An earlier server that gets the JSON crashes.

const namedLayouts = ["even-horizontal", "even-vertical", "main-horizontal", "main-vertical", "tiled"];

/** One of tmux's five layouts, or a string in the form of all versions. */
export function isLayout(text: string): boolean {
  if (namedLayouts.includes(text)) return true;
  const [, checksum, cells] = /^([0-9a-f]{4}),(\d+x\d+,\d+,\d+[\d,x[\]{}]*)$/.exec(text) ?? [];
  return cells !== undefined && Number.parseInt(checksum!, 16) === layoutChecksum(cells);
}

/** In the form of all versions, without floating panes, which it cannot describe. What is not understood stays as it is. */
export function layoutOfAllVersions(text: string): string {
  if (!text.startsWith("{")) return text;
  try {
    const cells = cellsOf(JSON.parse(text).L, 0);
    if (cells === null) return text;
    return `${layoutChecksum(cells).toString(16).padStart(4, "0")},${cells}`;
  } catch {
    return text;
  }
}

/** `t` is the type: a pane, or cells beside or above each other, which are its `c`. `I` is the pane's id. */
interface JsonCell {
  t: "p" | "h" | "v";
  w: number;
  h: number;
  x: number;
  y: number;
  I?: string;
  c?: JsonCell[];
  /** Only of floating panes: how far they are from the front. */
  z?: number;
}

const brackets = { h: "{}", v: "[]" } as const;
const deepest = 100;

function cellsOf({ t, w, h, x, y, I, c = [] }: JsonCell, depth: number): string | null {
  const place = `${w}x${h},${x},${y}`;
  if (t === "p") return `${place},${I?.slice(1) ?? 0}`;
  const tiled = c.filter(({ z }) => z === undefined);
  if (brackets[t] === undefined || depth > deepest || tiled.length === 0) return null;
  const inner = tiled.map((cell) => cellsOf(cell, depth + 1));
  // A row of one pane and a floating one is that pane.
  return inner.length === 1 ? inner[0]! : `${place}${brackets[t][0]}${inner.join(",")}${brackets[t][1]}`;
}

/** tmux's own checksum: sixteen bits, rotated right by one before each character is added. */
function layoutChecksum(cells: string): number {
  let sum = 0;
  for (const byte of Buffer.from(cells, "latin1")) {
    sum = ((sum >> 1) + ((sum & 1) << 15) + byte) & 0xffff;
  }
  return sum;
}
