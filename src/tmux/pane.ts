// Splits, names, moves and ends panes.
//
// A pane is addressed by its id. A missing pane is an error, never the current pane instead.

import type { PaneId } from "../names/gates.js";
import { paneIdOf } from "./answer.js";
import type { TmuxSessionId } from "./listing.js";
import { type PaneStart, startArguments } from "./program.js";
import { literal } from "./quote.js";
import type { Tmux, TmuxCommand } from "./tmux.js";

/** Returns the new pane, below the old one. */
export async function splitWindow(tmux: Tmux, pane: PaneId, start: PaneStart = {}): Promise<PaneId> {
  return paneIdOf(await tmux.run(splitCommand(pane, start)), "split-window");
}

/** Prints the id of the new pane. */
export function splitCommand(pane: PaneId, start: PaneStart): TmuxCommand {
  return ["split-window", "-d", "-P", "-F", "#{pane_id}", "-v", "-t", pane, ...startArguments(start)];
}

/** With -T the command sets the title and selects nothing. */
export async function setPaneTitle(tmux: Tmux, pane: PaneId, title: string): Promise<void> {
  await tmux.run(["select-pane", "-t", pane, "-T", literal(title)]);
}

/** tmux leaves options that begin with `@` to users. */
export async function setPaneOption(
  tmux: Tmux,
  pane: PaneId,
  option: `@${string}`,
  value: string,
): Promise<void> {
  await tmux.run(["set-option", "-p", "-t", pane, "--", option, value]);
}

/** The values of plain variables (`#{pane_title}`, `#T`) for a pane. */
export async function paneFacts(tmux: Tmux, pane: PaneId, format: string): Promise<string> {
  if (!isPlainFormat(format)) throw new Error(`not a plain format: ${format}`);
  return (await tmux.run(["display-message", "-p", "-t", pane, "--", format])).replace(/\n$/, "");
}

/** Only text and plain variables: `#(…)` and modifiers such as `#{E:…}` can run programs. */
export function isPlainFormat(format: string): boolean {
  return !/[#%]/.test(format.replace(/#\{@?[a-z][a-z0-9_-]*\}|#[DFHIPSTWh]/g, ""));
}

/** Makes it the active pane of its window, and that the current window of its tmux session. */
export async function selectPane(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["select-window", "-t", pane], ["select-pane", "-t", pane]);
}

/** Swaps the two; the selection stays. */
export async function swapPanes(tmux: Tmux, a: PaneId, b: PaneId): Promise<void> {
  await tmux.run(["swap-pane", "-d", "-s", a, "-t", b]);
}

/** Moves it into the window of `beside`. */
export async function movePane(tmux: Tmux, pane: PaneId, beside: PaneId): Promise<void> {
  await tmux.run(["join-pane", "-d", "-s", pane, "-t", beside]);
}

/** Moves it into a new window of that tmux session. */
export async function breakPane(tmux: Tmux, pane: PaneId, session: TmuxSessionId): Promise<void> {
  // Without -t it goes to the tmux session used last.
  await tmux.run(["break-pane", "-d", "-s", pane, "-t", `${session}:`]);
}

export async function killPane(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["kill-pane", "-t", pane]);
}
