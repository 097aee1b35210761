// What stands on the screens of panes.
//
// [TC1] Any number of panes is one spawn.
// [TC2] A pane that vanished meanwhile is missing from the answer; the others are there.
// [TC3] Nothing on a screen can be taken for the end of it: the mark between two is random for each call.

import { randomHex } from "../base/random.js";
import type { PaneId } from "../names/gates.js";
import { TmuxError } from "./error.js";
import type { Tmux } from "./tmux.js";

export interface CaptureOptions {
  /** With the sequences for colours and faint text. */
  escapes?: boolean;
  /** Rows that a narrow pane has wrapped are one. */
  joined?: boolean;
  /** How many lines of what scrolled away come before the screen. */
  historyLines?: number;
}

export async function capturePanes(
  tmux: Tmux,
  panes: readonly PaneId[],
  options: CaptureOptions = {},
): Promise<Map<PaneId, string>> {
  if (panes.length === 0) return new Map();
  const mark = `hm-${randomHex(8)}`;
  const flags = [
    options.escapes ? "-e" : "",
    options.joined ? "-J" : "",
    options.historyLines ? `-S -${options.historyLines}` : "",
  ].join(" ");
  const lines = panes.map((pane) => `display-message -p ${mark}\ncapture-pane -p ${flags} -t ${pane}\n`);
  // Read as a file: there each line stands for itself, while in an argument list the first that fails ends the
  // rest, and some 16,000 bytes are the most.
  const { stdout, failure } = await tmux.attempt([["source-file", "-"]], lines.join(""));
  if (failure && failure.reason !== "no-target") throw failure;
  return readScreens(stdout, mark, panes);
}

export async function capturePane(tmux: Tmux, pane: PaneId, options: CaptureOptions = {}): Promise<string> {
  const screen = (await capturePanes(tmux, [pane], options)).get(pane);
  if (screen === undefined) throw new TmuxError("no-target", `tmux capture-pane: can't find pane: ${pane}`);
  return screen;
}

function readScreens(stdout: string, mark: string, panes: readonly PaneId[]): Map<PaneId, string> {
  const [, ...screens] = stdout.split(`${mark}\n`);
  if (screens.length !== panes.length)
    throw new TmuxError("failed", "tmux capture-pane: an answer cut short");
  const seen = panes.map((pane, at) => [pane, screens[at]!] as const);
  // A screen has at least one line, so nothing at all means that there was no pane.
  return new Map(seen.filter(([, text]) => text !== "").map(([pane, text]) => [pane, text.slice(0, -1)]));
}
