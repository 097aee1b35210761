// What `hivemind tmux install` gives tmux: a key, a part of its status line and, if wanted, the panes' borders. Pure.
//
// The watcher writes the texts as options (watch/tmux-labels.ts); the formats here only show them. They show a value as
// it is: `#{@name}` expands nothing in it, unlike `#{E:@name}`. tmux replaces `%s` by the present second, so the
// formats stop showing a text at the moment that the watcher wrote beside it.
//
// The lines for the configuration file may run several times in one server, because people read that file again. They
// keep the values from before in options, for `hivemind tmux remove`.

import { shellWord } from "../../base/text/shell-word.js";
import { configText } from "../../tmux/source-lines.js";
import type { TmuxCommand } from "../../tmux/tmux.js";

export interface Wanted {
  key: string;
  hasBorders: boolean;
  /** The command that opens the overview, as words. */
  top: readonly string[];
}

/** A key that tmux 3.3a leaves free after its prefix. */
export const defaultKey = "h";

const isFresh = "#{e|<|:%s,#{@hivemind_until}}";

/** In front of the user's own text: tmux cuts the end. */
export const segment =
  `#{?@hivemind_status,#{?${isFresh},#{?#{m:*waiting*,#{@hivemind_status}},#[reverse],} #{@hivemind_status} ` +
  "#[noreverse], hivemind: no watcher } ,}";

/** Without an agent, or when nobody keeps the label up to date, the border has what the user had there. */
export const borderFormat =
  `#{?#{&&:${isFresh},#{@hivemind_label}},#{?pane_active,#[reverse],} #{@hivemind_label} #[default],` +
  "#{T:@hivemind_was_border_format}}";

/** Columns that the segment needs beside the user's own text. */
export const segmentColumns = 45;

/** The value of the mark; the watcher writes only where it is set. */
export function markOf({ key, hasBorders }: Pick<Wanted, "key" | "hasBorders">): string {
  return hasBorders ? `${key} borders` : key;
}

export function readMark(mark: string): Pick<Wanted, "key" | "hasBorders"> {
  const [key = "", ...more] = mark.split(" ");
  return { key, hasBorders: more.includes("borders") };
}

export function bindCommand({ key, top }: Pick<Wanted, "key" | "top">): TmuxCommand {
  const popup = ["display-popup", "-E", "-w", "95%", "-h", "90%", top.map(shellWord).join(" ")];
  return ["bind-key", "-N", "hivemind: all agents", key, ...popup];
}

/** The lines of the configuration file. */
export function configLines(wanted: Wanted): string {
  return configText([
    bindCommand(wanted),
    ["set-option", "-s", "@hivemind_segment", segment],
    [
      ...["if-shell", "-F", "#{m:*@hivemind_status*,#{status-right}}", ""],
      'set-option -gF status-right "#{@hivemind_segment}#{status-right}"',
    ],
    [
      ...["if-shell", "-F", "#{==:#{status-right-length},#{@hivemind_length}}", ""],
      'set-option -sF @hivemind_was_length "#{status-right-length}" ; ' +
        `set-option -gF status-right-length "#{e|+|:#{status-right-length},${segmentColumns}}" ; ` +
        'set-option -sF @hivemind_length "#{status-right-length}"',
    ],
    ...(wanted.hasBorders ? borderLines : []),
    ["set-option", "-s", "@hivemind_tmux", markOf(wanted)],
  ]);
}

const borderLines: readonly TmuxCommand[] = [
  ["set-option", "-s", "@hivemind_border_format", borderFormat],
  [
    ...["if-shell", "-F", "#{m:*@hivemind_label*,#{pane-border-format}}", ""],
    'set-option -sF @hivemind_was_border_format "#{pane-border-format}" ; ' +
      'set-option -gwF pane-border-format "#{@hivemind_border_format}"',
  ],
  [
    ...["if-shell", "-F", "#{==:#{pane-border-status},off}"],
    "set-option -s @hivemind_was_border_status off ; set-option -gw pane-border-status top",
  ],
];
