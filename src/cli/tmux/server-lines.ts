// What the running tmux server has of our lines, and the commands that add them to it and take them back.
//
// The plans are pure. They use the server's global values; values of single tmux sessions and windows stay as they are.
// Taking back keeps what the user has changed since: our text is cut out of the present value.

import { randomHex } from "../../base/random.js";
import { listServer } from "../../tmux/listing.js";
import { sourceCommands } from "../../tmux/source-lines.js";
import type { Tmux, TmuxCommand } from "../../tmux/tmux.js";
import { labelChanges, noLabels } from "../../watch/tmux-labels.js";
import {
  bindCommand,
  borderFormat,
  markOf,
  readMark,
  segment,
  segmentColumns,
  type Wanted,
} from "./tmux-lines.js";

const asked = {
  statusRight: ["-g", "status-right"],
  length: ["-g", "status-right-length"],
  borderFormat: ["-gw", "pane-border-format"],
  borderStatus: ["-gw", "pane-border-status"],
  mark: ["-s", "@hivemind_tmux"],
  ourSegment: ["-s", "@hivemind_segment"],
  ourLength: ["-s", "@hivemind_length"],
  wasLength: ["-s", "@hivemind_was_length"],
  ourBorderFormat: ["-s", "@hivemind_border_format"],
  wasBorderFormat: ["-s", "@hivemind_was_border_format"],
  wasBorderStatus: ["-s", "@hivemind_was_border_status"],
} as const;

/** Undefined: the option is not set. */
export type ServerState = { [Name in keyof typeof asked]?: string } & {
  /** The command of each key after tmux's prefix. */
  keys: ReadonlyMap<string, string>;
};

export async function readServer(tmux: Tmux): Promise<ServerState> {
  const mark = `end-${randomHex(8)}\n`;
  const printed = await tmux.run(
    ...Object.values(asked).flatMap(([scope, option]) => [
      ["show-options", scope, "-qv", option],
      ["display-message", "-p", mark.trim()],
    ]),
    ["list-keys", "-T", "prefix"],
  );
  const parts = printed.split(mark);
  const values = Object.keys(asked).flatMap((name, at) => {
    const part = parts[at] ?? "";
    return part === "" ? [] : [[name, part.replace(/\n$/, "")]];
  });
  return { ...Object.fromEntries(values), keys: keysIn(parts.at(-1) ?? "") };
}

export function keysIn(printed: string): Map<string, string> {
  const rows = printed.split("\n").flatMap((line) => {
    const [, key, command] = /^bind-key\s+(?:-\S+\s+)*?-T prefix\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    return key === undefined ? [] : [[key.replace(/^\\/, ""), command!] as const];
  });
  return new Map(rows);
}

/** Whether the key opens our popup. */
export function isOurKey({ mark, keys }: ServerState, key: string): boolean {
  return (
    mark !== undefined && readMark(mark).key === key && /^display-popup .*\btop\b/.test(keys.get(key) ?? "")
  );
}

/** Whether the server has all that `wanted` would add. */
export function isApplied(state: ServerState, wanted: Wanted): boolean {
  return (
    state.mark === markOf(wanted) &&
    isOurKey(state, wanted.key) &&
    state.statusRight?.includes(segment) === true &&
    (!wanted.hasBorders || state.borderFormat === borderFormat)
  );
}

/** For a server that has nothing of ours. The binding comes first: a key that tmux does not know fails before anything else. */
export function applyCommands(state: ServerState, wanted: Wanted): TmuxCommand[] {
  const { statusRight = "", length = "40", borderFormat: border = "", borderStatus } = state;
  const longer = String(Number(length) + segmentColumns);
  const server = (name: string, value: string) => ["set-option", "-s", name, value];
  return [
    bindCommand(wanted),
    server("@hivemind_segment", segment),
    ["set-option", "-g", "status-right", `${segment}${statusRight}`],
    server("@hivemind_was_length", length),
    server("@hivemind_length", longer),
    ["set-option", "-g", "status-right-length", longer],
    ...(wanted.hasBorders
      ? [
          server("@hivemind_border_format", borderFormat),
          server("@hivemind_was_border_format", border),
          ["set-option", "-gw", "pane-border-format", borderFormat],
        ]
      : []),
    ...(wanted.hasBorders && borderStatus === "off"
      ? [server("@hivemind_was_border_status", "off"), ["set-option", "-gw", "pane-border-status", "top"]]
      : []),
    server("@hivemind_tmux", markOf(wanted)),
  ];
}

/** The mark goes first, so that the watcher writes nothing more. */
export function takeBackCommands(state: ServerState): TmuxCommand[] {
  const { statusRight = "", ourSegment, length, ourLength, wasLength, wasBorderFormat } = state;
  const key = state.mark === undefined ? "" : readMark(state.mark).key;
  const hasOurBorder = state.borderFormat !== undefined && state.borderFormat === state.ourBorderFormat;
  const isOurStatus = state.wasBorderStatus === "off" && state.borderStatus === "top";
  return [
    ["set-option", "-s", "-u", "@hivemind_tmux"],
    ...(isOurKey(state, key) ? [["unbind-key", "-T", "prefix", key]] : []),
    ...(ourSegment !== undefined && statusRight.includes(ourSegment)
      ? [["set-option", "-g", "status-right", statusRight.replaceAll(ourSegment, "")]]
      : []),
    ...(wasLength !== undefined && length === ourLength
      ? [["set-option", "-g", "status-right-length", wasLength]]
      : []),
    ...(wasBorderFormat !== undefined && hasOurBorder
      ? [["set-option", "-gw", "pane-border-format", wasBorderFormat]]
      : []),
    ...(isOurStatus ? [["set-option", "-gw", "pane-border-status", "off"]] : []),
    ...serverOptions.map((name) => ["set-option", "-s", "-u", name]),
  ];
}

const serverOptions = Object.values(asked).flatMap(([, name]) => (name.startsWith("@") ? [name] : []));

/** Instead of what the server has of ours, maybe of another version. */
export async function apply(tmux: Tmux, state: ServerState, wanted: Wanted): Promise<void> {
  if (state.mark !== undefined) await tmux.run(...takeBackCommands(state));
  await tmux.run(...applyCommands(state.mark === undefined ? state : await readServer(tmux), wanted));
}

/** What the watcher wrote goes too. */
export async function takeBack(tmux: Tmux, state: ServerState): Promise<void> {
  await tmux.run(...takeBackCommands(state));
  const changes = labelChanges(await listServer(tmux), noLabels, { nowMs: 0, forMs: 0 });
  if (changes.length > 0) await sourceCommands(tmux, changes);
}
