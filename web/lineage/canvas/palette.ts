// The colours and fonts of the page for a canvas, which cannot use CSS variables itself.

export interface Palette {
  ground: string;
  surface: string;
  band: string;
  line: string;
  edge: string;
  ink: string;
  soft: string;
  faint: string;
  accent: string;
  accentLine: string;
  accentInk: string;
  accentTint: string;
  info: string;
  bad: string;
  good: string;
  font: string;
  mono: string;
}

const tokens = {
  ground: "--ground",
  surface: "--surface",
  band: "--sunken",
  line: "--line",
  edge: "--edge",
  ink: "--ink",
  soft: "--ink-soft",
  faint: "--ink-faint",
  accent: "--accent",
  accentLine: "--chart-1",
  accentInk: "--accent-ink",
  accentTint: "--accent-tint",
  info: "--chart-2",
  bad: "--bad",
  good: "--good",
} as const;

/** Asks the browser: only a used colour is resolved to the light or the dark one. */
export function paletteOf(within: HTMLElement): Palette {
  const probe = document.createElement("span");
  probe.hidden = true;
  within.append(probe);
  const style = getComputedStyle(probe);
  const colours = Object.entries(tokens).map(([name, token]) => {
    probe.style.color = `var(${token})`;
    return [name, style.color] as const;
  });
  const fonts = { font: style.getPropertyValue("--font"), mono: style.getPropertyValue("--mono") };
  probe.remove();
  return { ...(Object.fromEntries(colours) as Record<keyof typeof tokens, string>), ...fonts };
}

/** Calls back when light turns to dark, by the system or by the switch. Returns the function that ends it. */
export function onTheme(changed: () => void): () => void {
  const ended = new AbortController();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed, { signal: ended.signal });
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  return () => {
    ended.abort();
    observer.disconnect();
  };
}
