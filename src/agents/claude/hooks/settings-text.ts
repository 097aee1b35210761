// Adds our hooks to the text of the client's settings, and removes them.
//
// - Adding, then removing, restores the text byte for byte; what the user changed in between stays.
// - Adding changes none of the user's values and keeps the file's indent and line ends.
// - Adding twice equals adding once. Hooks of an older install are replaced.
// - Settings of another shape are refused.

import {
  emptyInside,
  emptyJson,
  inserted,
  memberOf,
  memberText,
  refuse,
  removed,
  rootOf,
  styleOf,
  valueText,
} from "../config-file/json-edit.js";
import type { ArrayNode, JsonNode, ObjectNode } from "../config-file/json-text.js";
import {
  type HookEventName,
  hookCommand,
  hookEvents,
  hookGroup,
  isHookCommand,
  launchSettings,
} from "./handler.js";

/** `before` is the text without our hooks, if known. */
export function withHooks(text: string | null, hookFolder: string, before: string | null): string {
  if (text !== null && isCurrent(text, hookFolder)) return text;
  const clean = (text === null ? null : withoutHooks(text, before)) ?? emptyJson;
  const { hooks } = settingsIn(clean);
  if (hooks === null) {
    const style = styleOf(clean);
    return inserted(clean, rootOf(clean), memberText("hooks", launchSettings(hookFolder).hooks, 1, style), 1);
  }
  return hookEvents.reduce((so, event) => withEvent(so, event, hookFolder), clean);
}

/** Null if nothing is left of a file that did not exist before. */
export function withoutHooks(text: string, before: string | null): string | null {
  const old = before === null ? null : settingsOrNull(before);
  let rest = text;
  for (let next = withoutOne(rest, old); next !== null; next = withoutOne(rest, old)) rest = next;
  return before === null && rest !== text && rest.trim() === "{}" ? null : rest;
}

export function hasHooks(text: string): boolean {
  return ourCommands(settingsIn(text)).length > 0;
}

interface Settings {
  text: string;
  root: ObjectNode;
  hooks: ObjectNode | null;
  events: ReadonlyMap<string, ArrayNode>;
}

function settingsIn(text: string): Settings {
  const root = rootOf(text);
  const hooks = memberOf(root, "hooks");
  if (hooks === null) return { text, root, hooks: null, events: new Map() };
  if (hooks.kind !== "object") return refuse("its hooks are not an object");
  const events = hooks.children.map(({ key, value }): [string, ArrayNode] =>
    value.kind === "array" ? [key, value] : refuse(`its hooks for ${key} are not a list`),
  );
  return { text, root, hooks, events: new Map(events) };
}

function settingsOrNull(text: string): Settings | null {
  try {
    return settingsIn(text);
  } catch {
    return null;
  }
}

function isCurrent(text: string, hookFolder: string): boolean {
  const found = ourCommands(settingsIn(text)).sort();
  const wanted = hookEvents.map((event) => `${event} ${hookCommand(hookFolder, event)}`).sort();
  return found.length === wanted.length && found.every((command, at) => command === wanted[at]);
}

function ourCommands({ events }: Settings): string[] {
  return [...events].flatMap(([event, groups]) =>
    groups.children.flatMap((group) =>
      hookItems(group.value)
        .filter(({ value }) => isOurs(value))
        .map(({ value }) => `${event} ${commandOf(value)}`),
    ),
  );
}

function hookItems(group: JsonNode) {
  const hooks = memberOf(group, "hooks");
  return hooks?.kind === "array" ? hooks.children : [];
}

function commandOf(hook: JsonNode): string | null {
  const command = memberOf(hook, "command");
  return command?.kind === "plain" && typeof command.value === "string" ? command.value : null;
}

function isOurs(hook: JsonNode): boolean {
  return isHookCommand(commandOf(hook) ?? "");
}

function withEvent(text: string, event: HookEventName, hookFolder: string): string {
  const { hooks, events } = settingsIn(text);
  const style = styleOf(text);
  const group = hookGroup(hookFolder, event);
  const list = events.get(event);
  if (list === undefined) return inserted(text, hooks!, memberText(event, [group], 2, style), 2);
  return inserted(text, list, valueText(group, 3, style), 3);
}

/** Removes one of our hooks and what was there only for it; null if there is none. */
function withoutOne(text: string, old: Settings | null): string | null {
  for (const [event, groups] of settingsIn(text).events) {
    const place = groups.children.findIndex(({ value }) =>
      hookItems(value).some((hook) => isOurs(hook.value)),
    );
    if (place < 0) continue;
    const group = groups.children[place]!.value;
    const hooks = hookItems(group);
    if (hooks.every(({ value }) => isOurs(value))) {
      const rest = removed(text, groups, place, emptyInside(old, old?.events.get(event)));
      return withoutEmpty(rest, event, old);
    }
    const ours = hooks.findIndex(({ value }) => isOurs(value));
    return removed(text, memberOf(group, "hooks") as ArrayNode, ours, "");
  }
  return null;
}

/** Removes a list, and a `hooks`, that is empty now and was not there before. */
function withoutEmpty(text: string, event: string, old: Settings | null): string {
  const { hooks, events } = settingsIn(text);
  if (old?.events.has(event) || events.get(event)!.children.length > 0) return text;
  const place = hooks!.children.findLastIndex(({ key }) => key === event);
  const rest = removed(text, hooks!, place, emptyInside(old, old?.hooks));
  const { root, hooks: left } = settingsIn(rest);
  if (old?.hooks || left!.children.length > 0) return rest;
  const at = root.children.findLastIndex(({ key }) => key === "hooks");
  return removed(rest, root, at, emptyInside(old, old?.root));
}
