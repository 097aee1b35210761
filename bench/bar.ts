// One measured figure and its limit. Both sides of a ratio are measured in one run, because machines are noisy.

export interface Bar {
  name: string;
  ratio: number;
  /** The maximum of the ratio; with `atLeast` the minimum. */
  bar: number;
  atLeast?: boolean;
  detail: string;
}

export function isMet({ ratio, bar, atLeast }: Bar): boolean {
  return atLeast ? ratio >= bar : ratio <= bar;
}

/** A figure against a limit in its own unit. */
export function barOf(name: string, ratio: number, detail: string): Bar {
  return { name, ratio, bar: 1, detail };
}

/** The bars of warm commands count from Node 22 on: an older one keeps nothing of what it compiled. */
export function warmBar(name: string, aboveMs: number, barMs: number, detail: string): Bar {
  const isCounted = Number(process.versions.node.split(".")[0]) >= 22;
  const ratio = aboveMs / barMs;
  const measured = `${name}, own processor time / ${barMs} ms`;
  return { name: measured, ratio, bar: isCounted ? 1 : Number.POSITIVE_INFINITY, detail };
}

export const whole = (value: number) => value.toFixed(0);
export const megas = (bytes: number) => (bytes / 1e6).toFixed(0);
