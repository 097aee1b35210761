// The watcher that a person started in the background, as they started it: what brings it back after a crash or reboot.
//
// Written when a watcher was started in the background, and empty after `watch --stop`. Nothing that ends a watcher
// otherwise changes it.

import type { Report } from "../file/error.js";
import { rowFile } from "../file/row-file.js";
import type { RowFormat } from "../file/row-lines.js";

export interface WatchWish {
  /** Null: the default. */
  everySeconds: number | null;
  /** The absolute path of the program of --notify. */
  notify: string | null;
  isReconciling: boolean;
  isQuiet: boolean;
}

export function openWatchWish(path: string, report?: Report) {
  const file = rowFile(path, wishFormat, report);
  return {
    path,
    /** Null if nobody wants a watcher in the background. */
    read(): WatchWish | null {
      const { rows } = file.read();
      return rows.length === 0 ? null : wishOf(rows);
    },
    keep: async (wish: WatchWish): Promise<void> => void (await file.update(() => rowsOf(wish))),
    /** True if there was one. */
    forget: async (): Promise<boolean> => (await file.update(() => [])).changed,
  };
}

/** The options of `watch`, as words of its command line. */
export function wordsOf({ everySeconds, notify, isReconciling, isQuiet }: WatchWish): string[] {
  return [
    ...(notify === null ? [] : ["--notify", notify]),
    ...(everySeconds === null ? [] : ["--every", String(everySeconds)]),
    ...(isReconciling ? ["--reconcile"] : []),
    ...(isQuiet ? ["--quiet"] : []),
  ];
}

interface WishRow {
  what: "watch" | "every" | "notify" | "flag";
  value: string;
}

function rowsOf({ everySeconds, notify, isReconciling, isQuiet }: WatchWish): WishRow[] {
  return [
    { what: "watch", value: "background" },
    ...(everySeconds === null ? [] : [{ what: "every", value: String(everySeconds) } as const]),
    ...(notify === null ? [] : [{ what: "notify", value: notify } as const]),
    ...(isReconciling ? [{ what: "flag", value: "reconcile" } as const] : []),
    ...(isQuiet ? [{ what: "flag", value: "quiet" } as const] : []),
  ];
}

function wishOf(rows: readonly WishRow[]): WatchWish {
  const value = (what: WishRow["what"]) => rows.find((row) => row.what === what)?.value ?? null;
  const hasFlag = (flag: string) => rows.some((row) => row.what === "flag" && row.value === flag);
  const every = value("every");
  return {
    everySeconds: every === null ? null : Number(every),
    notify: value("notify"),
    isReconciling: hasFlag("reconcile"),
    isQuiet: hasFlag("quiet"),
  };
}

const forms: Readonly<Record<WishRow["what"], RegExp>> = {
  watch: /^background$/,
  every: /^[1-9]\d{0,3}$/,
  // A path may have any character but a line break.
  notify: /^\/[^\n\r\0]*$/,
  flag: /^(?:reconcile|quiet)$/,
};

const rule = "a row is watch|background, every|SECONDS, notify|/PROGRAM, flag|reconcile or flag|quiet";

const wishFormat: RowFormat<WishRow> = {
  rule,
  parse(line) {
    const cut = line.indexOf("|");
    const [what, value] = [line.slice(0, Math.max(cut, 0)), line.slice(cut + 1)];
    return isWhat(what) && forms[what].test(value) ? { what, value } : rule;
  },
  format: ({ what, value }) => `${what}|${value}`,
  key: ({ what, value }) => (what === "flag" ? `${what}|${value}` : what),
};

function isWhat(text: string): text is WishRow["what"] {
  return Object.hasOwn(forms, text);
}
