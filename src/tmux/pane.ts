// Panes: split, named, moved, ended.
//
// [TI1] A pane is acted on by its id. One that is not there is an error, never the pane somebody looks at.

import type { PaneId } from "../names/gates.js";
import { paneIdOf } from "./answer.js";
import type { TmuxSessionId } from "./listing.js";
import { type PaneStart, startArguments } from "./program.js";
import { literal } from "./quote.js";
import type { Tmux } from "./tmux.js";

/** tmux leaves options that begin with `@` to others. */
export type PaneOption = `@${string}`;

export interface Split extends PaneStart {
  /** Where the new pane stands; below without it. */
  side?: "below" | "right";
}

export async function splitWindow(tmux: Tmux, pane: PaneId, split: Split = {}): Promise<PaneId> {
  const direction = split.side === "right" ? "-h" : "-v";
  const printed = await tmux.run([
    ...["split-window", "-d", "-P", "-F", "#{pane_id}", direction, "-t", pane],
    ...startArguments(split),
  ]);
  return paneIdOf(printed, "split-window");
}

/** With -T the command names the pane and selects nothing. */
export async function setPaneTitle(tmux: Tmux, pane: PaneId, title: string): Promise<void> {
  await tmux.run(["select-pane", "-t", pane, "-T", literal(title)]);
}

export async function setPaneOption(
  tmux: Tmux,
  pane: PaneId,
  option: PaneOption,
  value: string,
): Promise<void> {
  await tmux.run(["set-option", "-p", "-t", pane, "--", option, value]);
}

export async function unsetPaneOption(tmux: Tmux, pane: PaneId, option: PaneOption): Promise<void> {
  await tmux.run(["set-option", "-p", "-u", "-t", pane, option]);
}

/** What plain variables (`#{pane_title}`, `#T`) say of a pane. */
export async function paneFacts(tmux: Tmux, pane: PaneId, format: string): Promise<string> {
  if (!isPlainFormat(format)) throw new Error(`not a plain format: ${format}`);
  return (await tmux.run(["display-message", "-p", "-t", pane, "--", format])).replace(/\n$/, "");
}

/** Text with variables by their names alone: `#(…)` and modifiers such as `#{E:…}` can run programs. */
export function isPlainFormat(format: string): boolean {
  return !/[#%]/.test(format.replace(/#\{@?[a-z][a-z0-9_-]*\}|#[DFHIPSTWh]/g, ""));
}

/** Makes it the active pane of its window, and that the current window of its tmux session. */
export async function selectPane(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["select-window", "-t", pane], ["select-pane", "-t", pane]);
}

/** The two change places; who is selected stays. */
export async function swapPanes(tmux: Tmux, a: PaneId, b: PaneId): Promise<void> {
  await tmux.run(["swap-pane", "-d", "-s", a, "-t", b]);
}

/** Into the window of `beside`. */
export async function movePane(tmux: Tmux, pane: PaneId, beside: PaneId): Promise<void> {
  await tmux.run(["join-pane", "-d", "-s", pane, "-t", beside]);
}

/** Into a window of its own in that tmux session. */
export async function breakPane(tmux: Tmux, pane: PaneId, session: TmuxSessionId): Promise<void> {
  // Without -t it lands in whichever tmux session was used last.
  await tmux.run(["break-pane", "-d", "-s", pane, "-t", `${session}:`]);
}

export async function killPane(tmux: Tmux, pane: PaneId): Promise<void> {
  await tmux.run(["kill-pane", "-t", pane]);
}
