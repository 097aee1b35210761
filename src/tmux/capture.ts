// Captures the screens of panes.
//
// One spawn for any number of panes. A pane that closed meanwhile is missing from the answer; the others are there.
// The mark between two screens is random per call, so no text on a screen can imitate it. An answer counts only if its
// end was read, and a pane is missing only if tmux said so.

import type { PaneId } from "../names/gates.js";
import { newMark } from "./answer.js";
import { TmuxError } from "./error.js";
import type { Tmux } from "./tmux.js";

export interface CaptureOptions {
  /** With the sequences for colours and faint text. */
  escapes?: boolean;
  /** Joins rows that a narrow pane has wrapped. */
  joined?: boolean;
  /** How many lines of the scrollback come before the screen. */
  historyLines?: number;
}

export async function capturePanes(
  tmux: Tmux,
  panes: readonly PaneId[],
  options: CaptureOptions = {},
): Promise<Map<PaneId, string>> {
  if (panes.length === 0) return new Map();
  const mark = newMark();
  const flags = [
    options.escapes ? "-e" : "",
    options.joined ? "-J" : "",
    options.historyLines ? `-S -${options.historyLines}` : "",
  ].join(" ");
  const lines = panes.map((pane) => `display-message -p ${mark}\ncapture-pane -p ${flags} -t ${pane}\n`);
  // As a file: there each line is independent, while in an argument list the first failure ends the rest, and the
  // limit is about 16,000 bytes.
  const whole = [...lines, `display-message -p ${mark}\n`].join("");
  const { stdout, failure } = await tmux.attempt([["source-file", "-"]], whole);
  if (failure && failure.reason !== "no-target") throw failure;
  const screens = readScreens(stdout, mark, panes);
  if (failure === null && !panes.every((pane) => screens.has(pane))) throw truncated();
  return screens;
}

/** The rows of several panes. */
export async function screensOf(
  tmux: Tmux,
  panes: readonly { id: PaneId }[],
  options: CaptureOptions,
): Promise<Map<PaneId, string[]>> {
  const ids = panes.map(({ id }) => id);
  const screens = await capturePanes(tmux, ids, options);
  return new Map([...screens].map(([id, screen]) => [id, screen.replace(/\n$/, "").split("\n")]));
}

export async function capturePane(tmux: Tmux, pane: PaneId, options: CaptureOptions = {}): Promise<string> {
  const screen = (await capturePanes(tmux, [pane], options)).get(pane);
  if (screen === undefined) throw new TmuxError("no-target", `tmux capture-pane: can't find pane: ${pane}`);
  return screen;
}

function readScreens(stdout: string, mark: string, panes: readonly PaneId[]): Map<PaneId, string> {
  const [, ...screens] = stdout.split(`${mark}\n`);
  if (screens.pop() !== "" || screens.length !== panes.length) throw truncated();
  const seen = panes.map((pane, at) => [pane, screens[at]!] as const);
  // A screen has at least one line, so an empty text means that the pane is gone.
  return new Map(seen.filter(([, text]) => text !== "").map(([pane, text]) => [pane, text.slice(0, -1)]));
}

function truncated(): TmuxError {
  return new TmuxError("failed", "tmux capture-pane: truncated answer");
}
