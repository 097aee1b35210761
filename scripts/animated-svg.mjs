// Screens of a terminal as one SVG that shows them in turn: no script, no fonts of its own. A reader who wants less motion
// sees the first screen.

const [cell, line, margin] = [8.4, 18, 14];
const background = "#1f2430";
const foreground = "#d8dee9";
// As tmux numbers them: eight colours, then the same ones bright.
const palette = [
  ...["#3b4252", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d8dee9"],
  ...["#7f8794", "#ff8a93", "#b5e890", "#ffd98c", "#8cc8ff", "#e29bf5", "#7fdbe6", "#ffffff"],
];

/** `frames`: lines with SGR colours, and the seconds that they are shown. */
export function animated(frames, { columns, rows, title }) {
  const [width, height] = [columns * cell + 2 * margin, rows * line + 2 * margin];
  const total = frames.reduce((sum, { seconds }) => sum + seconds, 0);
  const drawn = [];
  const rules = [];
  // A row that stays the same over several screens is drawn once.
  const known = new Map();
  let from = 0;
  frames.forEach(({ seconds, lines }, at) => {
    const share = (when) => `${((100 * when) / total).toFixed(2)}%`;
    const to = from + seconds;
    const before = at === 0 ? "" : "0%{visibility:hidden}";
    const shown = `${share(from)}{visibility:visible}${share(to)}{visibility:hidden}`;
    rules.push(`@keyframes f${at}{${before}${shown}}`);
    rules.push(`.f${at}{animation:f${at} ${total}s step-end infinite}`);
    const body = screenRuns(lines).flatMap((runs, row) => placed(runs, row, known));
    drawn.push(`<g class="f f${at}">${body.join("")}</g>`);
    from = to;
  });
  const still = "@media(prefers-reduced-motion:reduce){.f{animation:none}.f0{visibility:visible}}";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width.toFixed(0)} ${height}" font-size="14"`,
    ` font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" fill="${foreground}">`,
    `<title>${escaped(title)}</title>`,
    `<style>text{white-space:pre}.f{visibility:hidden}${rules.join("")}${still}</style>`,
    `<rect width="100%" height="100%" rx="8" fill="${background}"/>`,
    `<defs>${[...known].map(([drawing, id]) => `<g id="${id}">${drawing}</g>`).join("\n")}</defs>`,
    ...drawn,
    "</svg>\n",
  ].join("\n");
}

function placed(runs, row, known) {
  const drawing = runs.map((run) => runAt(run, row)).join("");
  if (drawing === "") return [];
  if (!known.has(drawing)) known.set(drawing, `r${known.size}`);
  return [`<use href="#${known.get(drawing)}"/>`];
}

function runAt({ text, column, width, style }, row) {
  const x = (margin + column * cell).toFixed(1);
  const top = margin + row * line;
  const size = (width * cell).toFixed(1);
  const block =
    style.fill === null
      ? ""
      : `<rect x="${x}" y="${top}" width="${size}" height="${line}" fill="${style.fill}" shape-rendering="crispEdges"/>`;
  if (text.trim() === "") return block;
  const attributes = [
    style.colour === foreground ? "" : ` fill="${style.colour}"`,
    style.isBold ? ' font-weight="700"' : "",
    style.isDim ? ' opacity=".6"' : "",
  ].join("");
  // The length is fixed, so that columns stay aligned in any font.
  return `${block}<text x="${x}" y="${(top + line * 0.75).toFixed(1)}" textLength="${size}"${attributes}>${escaped(text)}</text>`;
}

const plain = { colour: null, fill: null, isBold: false, isDim: false, isInverse: false };

/** Per line its runs of one style, with the column at which they begin. tmux carries the style over to the next line. */
function screenRuns(lines) {
  let sgr = plain;
  return lines.map((text) => {
    const { runs, end } = runsOf(text, sgr);
    sgr = end;
    return runs;
  });
}

function runsOf(text, start) {
  const runs = [];
  let sgr = start;
  let column = 0;
  for (const part of text.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith("\u001b")) {
      sgr = after(sgr, part.slice(2, -1).split(";").map(Number));
      continue;
    }
    for (const words of part.split(/( {2,})/)) {
      if (words === "") continue;
      const width = [...words].length;
      runs.push({ text: words, column, width, style: visible(sgr) });
      column += width;
    }
  }
  return { runs, end: sgr };
}

function visible({ colour, fill, isBold, isDim, isInverse }) {
  if (!isInverse) return { colour: colour ?? foreground, fill, isBold, isDim };
  return { colour: fill ?? background, fill: colour ?? foreground, isBold, isDim };
}

function after(sgr, codes) {
  let now = sgr;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at];
    if (code === 0) now = plain;
    else if (code === 1) now = { ...now, isBold: true };
    else if (code === 2) now = { ...now, isDim: true };
    else if (code === 7) now = { ...now, isInverse: true };
    else if (code === 22) now = { ...now, isBold: false, isDim: false };
    else if (code === 27) now = { ...now, isInverse: false };
    else if (code === 39) now = { ...now, colour: null };
    else if (code === 49) now = { ...now, fill: null };
    else if (code >= 30 && code <= 37) now = { ...now, colour: palette[code - 30] };
    else if (code >= 40 && code <= 47) now = { ...now, fill: palette[code - 40] };
    else if (code >= 90 && code <= 97) now = { ...now, colour: palette[code - 82] };
    else if (code >= 100 && code <= 107) now = { ...now, fill: palette[code - 92] };
  }
  return now;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
