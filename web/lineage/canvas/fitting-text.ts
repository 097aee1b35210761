// Text cut to a width, with its width. Measuring is slow, so what was measured is remembered.

const widths = new Map<string, number>();
const mostRemembered = 20_000;

export function fittingText(
  context: Pick<CanvasRenderingContext2D, "font" | "measureText">,
  text: string,
  room: number,
): { text: string; width: number } {
  const whole = widthOf(context, text);
  if (whole <= room) return { text, width: whole };
  const letters = [...text];
  // The letters of a text are about equally wide; a cut that is still too wide loses some more.
  let count = Math.floor((letters.length * room) / whole) - 1;
  for (; count > 0; count--) {
    const cut = `${letters.slice(0, count).join("").trimEnd()}…`;
    const width = widthOf(context, cut);
    if (width <= room) return { text: cut, width };
  }
  return { text: "", width: 0 };
}

function widthOf(context: Pick<CanvasRenderingContext2D, "font" | "measureText">, text: string): number {
  const key = `${context.font}\n${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (widths.size >= mostRemembered) widths.clear();
  const { width } = context.measureText(text);
  widths.set(key, width);
  return width;
}
