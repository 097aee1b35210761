// JSON as its author wrote it: where each value stands, so that one can be added or taken away and every other byte stays.
//
// [JT1] What JSON.parse reads is read with the same values; comments and a comma behind the last value pass too.
// [JT2] What is neither is an error that names its line.

import { limits } from "../../../limits.js";

export type JsonNode = ObjectNode | ArrayNode | PlainNode;

interface Span {
  start: number;
  /** Behind its last character. */
  end: number;
}

export interface ObjectNode extends Span {
  kind: "object";
  children: Member[];
}

export interface ArrayNode extends Span {
  kind: "array";
  children: Item[];
}

export interface PlainNode extends Span {
  kind: "plain";
  value: string | number | boolean | null;
}

/** One of a container's values, from its key (if it has one) to its end. */
export interface Item extends Span {
  value: JsonNode;
  /** Where the comma behind it is; null when none follows. */
  commaAt: number | null;
}

export interface Member extends Item {
  key: string;
}

export class JsonTextError extends Error {
  override name = "JsonTextError";
}

export function parseJsonText(text: string): JsonNode {
  let at = text.startsWith("\u{feff}") ? 1 : 0;

  function fail(what: string): never {
    const line = text.slice(0, at).split("\n").length;
    throw new JsonTextError(`line ${line}: ${at === text.length ? "it ends too early" : what}`);
  }

  function take(form: RegExp): string | null {
    form.lastIndex = at;
    const found = form.exec(text)?.[0] ?? null;
    at += found?.length ?? 0;
    return found;
  }

  function plain(form: RegExp, what: string): PlainNode {
    const start = at;
    const token = take(form);
    if (token === null) fail(what);
    try {
      return { kind: "plain", start, end: at, value: JSON.parse(token) };
    } catch {
      return fail(what);
    }
  }

  function children<Child extends Item>(close: RegExp, child: () => Omit<Child, "commaAt">): Child[] {
    const found: Child[] = [];
    let isOpen = true;
    for (take(blank); take(close) === null; take(blank)) {
      if (!isOpen) fail("a comma is missing");
      const next = child();
      take(blank);
      const commaAt = take(comma) === null ? null : at - 1;
      isOpen = commaAt !== null;
      found.push({ ...next, commaAt } as Child);
    }
    return found;
  }

  function member(depth: number): Omit<Member, "commaAt"> {
    const key = plain(stringForm, "a key in quotes should stand here");
    take(blank);
    if (take(colon) === null) fail("a colon is missing");
    take(blank);
    const value = node(depth);
    return { key: key.value as string, value, start: key.start, end: value.end };
  }

  function item(depth: number): Omit<Item, "commaAt"> {
    const value = node(depth);
    return { value, start: value.start, end: value.end };
  }

  function node(depth: number): JsonNode {
    if (depth > limits.settingsDepth) fail("it is nested too deeply");
    const start = at;
    if (take(braceOpen) !== null) {
      const members = children<Member>(braceClose, () => member(depth + 1));
      return { kind: "object", start, end: at, children: members };
    }
    if (take(bracketOpen) !== null) {
      const items = children<Item>(bracketClose, () => item(depth + 1));
      return { kind: "array", start, end: at, children: items };
    }
    return plain(plainForm, "no JSON value");
  }

  take(blank);
  const root = node(0);
  take(blank);
  if (at < text.length) fail("something stands behind the end");
  return root;
}

const blank = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y;
const comma = /,/y;
const colon = /:/y;
const braceOpen = /\{/y;
const braceClose = /\}/y;
const bracketOpen = /\[/y;
const bracketClose = /\]/y;
const stringForm = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y;
const plainForm = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[-+.\w]+/y;
