import { expect, test } from "vitest";
import { applyCommands, isApplied, keysIn, type ServerState, takeBackCommands } from "./server-lines.js";
import { borderFormat, markOf, readMark, segment } from "./tmux-lines.js";

const wanted = { key: "h", hasBorders: true, top: ["hivemind", "top"] };
const plain: ServerState = {
  ...{ statusRight: "%H:%M", length: "40", borderFormat: "#T", borderStatus: "off" },
  keys: new Map(),
};

test("the keys of tmux's own list, with options and quoted keys", () => {
  const printed = [
    "bind-key    -T prefix C-b     send-prefix",
    "bind-key -r -T prefix Up      select-pane -U",
    "bind-key    -T prefix \\;      last-pane",
    "bind-key -T prefix h display-popup -E 'hivemind top'",
    "",
  ].join("\n");
  expect([...keysIn(printed)]).toEqual([
    ["C-b", "send-prefix"],
    ["Up", "select-pane -U"],
    [";", "last-pane"],
    ["h", "display-popup -E 'hivemind top'"],
  ]);
});

test("the mark names the key and whether borders are wanted", () => {
  for (const each of [wanted, { ...wanted, key: "M-a", hasBorders: false }])
    expect(readMark(markOf(each))).toEqual({ key: each.key, hasBorders: each.hasBorders });
});

/** The state after these commands. */
function after(state: ServerState, commands: readonly (readonly string[])[]): Record<string, string> {
  const options: Record<string, string> = {
    ...{ "status-right": state.statusRight!, "status-right-length": state.length! },
    ...{ "pane-border-format": state.borderFormat!, "pane-border-status": state.borderStatus! },
  };
  for (const [verb, ...words] of commands) {
    if (verb !== "set-option") continue;
    const [name, value] = words.filter((word) => !/^-\w+$/.test(word)) as [string, string];
    if (words.includes("-u")) delete options[name];
    else options[name] = value;
  }
  return options;
}

test.each([
  ["all parts", wanted, plain],
  ["no borders", { ...wanted, hasBorders: false }, plain],
  ["borders that the user shows already", wanted, { ...plain, borderStatus: "bottom" }],
  ["an empty status line", wanted, { ...plain, statusRight: "" }],
])("applied and taken back: %s", (_, parts, before) => {
  const options = after(before, applyCommands(before, parts));
  expect(options["status-right"]).toBe(segment + before.statusRight);
  const applied: ServerState = {
    ...{ statusRight: options["status-right"]!, length: options["status-right-length"]! },
    ...{ borderFormat: options["pane-border-format"]!, borderStatus: options["pane-border-status"]! },
    ...{ mark: options["@hivemind_tmux"]!, ourSegment: options["@hivemind_segment"]! },
    ...{ ourLength: options["@hivemind_length"]!, wasLength: options["@hivemind_was_length"]! },
    keys: new Map([["h", 'display-popup -E "hivemind top"']]),
    ...(parts.hasBorders && { ourBorderFormat: borderFormat, wasBorderFormat: before.borderFormat! }),
    ...(options["@hivemind_was_border_status"] === undefined ? {} : { wasBorderStatus: "off" }),
  };
  expect(isApplied(applied, parts)).toBe(true);
  const commands = takeBackCommands(applied);
  expect(commands).toContainEqual(["unbind-key", "-T", "prefix", "h"]);
  expect(after(applied, commands)).toMatchObject(after(before, []));
});
