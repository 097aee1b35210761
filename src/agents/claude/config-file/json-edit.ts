// Changes one value of a JSON text and leaves every other byte as it is. Pure.
//
// - An added child keeps the text's indent and line ends. Removing it restores the text.
// - A text of another shape than expected is refused.

import { FileRefused } from "../../../base/files/atomic-file.js";
import { type ArrayNode, type JsonNode, type ObjectNode, parseJsonText } from "./json-text.js";

export class JsonShapeError extends FileRefused {
  override name = "JsonShapeError";
}

/** The initial text of a file that does not exist yet. */
export const emptyJson = "{}\n";

export function rootOf(text: string): ObjectNode {
  const root = parseJsonText(text);
  return root.kind === "object" ? root : refuse("it is not an object");
}

export function refuse(why: string): never {
  throw new JsonShapeError(why);
}

/** The last one counts, as in the client. */
export function memberOf(node: JsonNode, key: string): JsonNode | null {
  if (node.kind !== "object") return null;
  return node.children.findLast((member) => member.key === key)?.value ?? null;
}

interface Style {
  eol: string;
  /** One step of indent; null if everything is on one line. */
  indent: string | null;
}

export function styleOf(text: string): Style {
  const root = rootOf(text);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const inside = text.slice(root.start, root.end);
  if (root.children.length > 0 && !inside.includes("\n")) return { eol, indent: null };
  return { eol, indent: /\n([ \t]+)"/.exec(inside)?.[1] ?? "  " };
}

export function valueText(value: object, depth: number, { eol, indent }: Style): string {
  if (indent === null) return JSON.stringify(value);
  return JSON.stringify(value, null, indent).replaceAll("\n", eol + indent.repeat(depth));
}

export function memberText(key: string, value: object, depth: number, style: Style): string {
  return `"${key}":${style.indent === null ? "" : " "}${valueText(value, depth, style)}`;
}

/** Inserts a last child; `depth` is the child's. */
export function inserted(text: string, into: ObjectNode | ArrayNode, child: string, depth: number): string {
  const { eol, indent } = styleOf(text);
  const last = into.children.at(-1);
  const at = last?.end ?? into.start + 1;
  const line = (steps: number) => (indent === null ? "" : eol + indent.repeat(steps));
  const hasOwnEnd = last !== undefined || text.slice(at, into.end).includes("\n");
  const added = (last ? "," : "") + line(depth) + child + (hasOwnEnd ? "" : line(depth - 1));
  return text.slice(0, at) + added + text.slice(at);
}

/** The text between the brackets of a container without children. */
export function emptyInside(
  old: { text: string } | null,
  node: ObjectNode | ArrayNode | null | undefined,
): string {
  return old && node?.children.length === 0 ? old.text.slice(node.start + 1, node.end - 1) : "";
}

/** Keeps comments around the child. An emptied container gets back what was inside when it was last empty. */
export function removed(
  text: string,
  from: ObjectNode | ArrayNode,
  place: number,
  oldInside: string,
): string {
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
