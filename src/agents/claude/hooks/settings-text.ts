// Adds our hooks to the text of the client's settings, and removes them.
//
// - Adding, then removing, restores the text byte for byte; what the user changed in between stays.
// - Adding changes none of the user's values and keeps the file's indent and line ends.
// - Adding twice equals adding once. Hooks of an older install are replaced.
// - Settings of another shape are refused.

import {
  type HookEventName,
  hookCommand,
  hookEvents,
  hookGroup,
  isHookCommand,
  launchSettings,
} from "./handler.js";
import { type ArrayNode, type JsonNode, type ObjectNode, parseJsonText } from "./json-text.js";

export class SettingsShapeError extends Error {
  override name = "SettingsShapeError";
}

/** The initial text of a file that does not exist yet. */
const nothing = "{}\n";

/** `before` is the text without our hooks, if known. */
export function withHooks(text: string | null, hookFolder: string, before: string | null): string {
  if (text !== null && isCurrent(text, hookFolder)) return text;
  const clean = (text === null ? null : withoutHooks(text, before)) ?? nothing;
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

function rootOf(text: string): ObjectNode {
  const root = parseJsonText(text);
  return root.kind === "object" ? root : refuse("it is not an object");
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

function refuse(why: string): never {
  throw new SettingsShapeError(why);
}

/** The last one counts, as in the client. */
function memberOf(node: JsonNode, key: string): JsonNode | null {
  if (node.kind !== "object") return null;
  return node.children.findLast((member) => member.key === key)?.value ?? null;
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

interface Style {
  eol: string;
  /** One step of indent; null if everything is on one line. */
  indent: string | null;
}

function styleOf(text: string): Style {
  const root = rootOf(text);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const inside = text.slice(root.start, root.end);
  if (root.children.length > 0 && !inside.includes("\n")) return { eol, indent: null };
  return { eol, indent: /\n([ \t]+)"/.exec(inside)?.[1] ?? "  " };
}

function valueText(value: object, depth: number, { eol, indent }: Style): string {
  if (indent === null) return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + indent.repeat(depth));
}

function memberText(key: string, value: object, depth: number, style: Style): string {
  return `"${key}":${style.indent === null ? "" : " "}${valueText(value, depth, style)}`;
}

/** Inserts a last child; `depth` is the child's. */
function inserted(text: string, into: ObjectNode | ArrayNode, child: string, depth: number): string {
  const { eol, indent } = styleOf(text);
  const last = into.children.at(-1);
  const at = last?.end ?? into.start + 1;
  const line = (steps: number) => (indent === null ? "" : eol + indent.repeat(steps));
  const hasOwnEnd = last !== undefined || text.slice(at, into.end).includes("\n");
  const added = (last ? "," : "") + line(depth) + child + (hasOwnEnd ? "" : line(depth - 1));
  return text.slice(0, at) + added + text.slice(at);
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

/** The text between the brackets of a container without children. */
function emptyInside(old: Settings | null, node: ObjectNode | ArrayNode | null | undefined): string {
  return old && node?.children.length === 0 ? old.text.slice(node.start + 1, node.end - 1) : "";
}

/** Keeps comments around the child. An emptied container gets back what was inside when it was last empty. */
function removed(text: string, from: ObjectNode | ArrayNode, place: number, oldInside: string): string {
  const child = from.children[place]!;
  const previous = from.children[place - 1];
  const cut = (start: number, end: number, instead = "") => text.slice(0, start) + instead + text.slice(end);
  if (previous !== undefined) {
    const comma = previous.commaAt!;
    const between = text.slice(previous.end, comma) + text.slice(comma + 1, child.start);
    return cut(previous.end, child.end, between.trim() === "" ? "" : between);
  }
  if (from.children.length > 1) {
    const behind = text.slice(child.commaAt! + 1);
    return cut(child.start, text.length - behind.trimStart().length);
  }
  const [start, end] = [from.start + 1, from.end - 1];
  const comma = child.commaAt ?? end;
  const rest = text.slice(start, child.start) + text.slice(child.end, comma) + text.slice(comma + 1, end);
  return cut(start, end, rest.trim() === oldInside.trim() ? oldInside : rest);
}
