// Parses JSON with the position of each value, so that a value can be added or removed and every other byte stays.
//
// Values are those of JSON.parse. Comments and a trailing comma are accepted. Anything else is an error with its
// line.

import { FileRefused } from "../../../base/files/atomic-file.js";
import { limits } from "../../../limits.js";

export type JsonNode = ObjectNode | ArrayNode | PlainNode;

interface Span {
  start: number;
  /** The position after its last character. */
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

/** One value of a container, from its key (if it has one) to its end. */
export interface Item extends Span {
  value: JsonNode;
  /** The position of the comma after it, or null. */
  commaAt: number | null;
}

export interface Member extends Item {
  key: string;
}

export class JsonTextError extends FileRefused {
  override name = "JsonTextError";
}

export function parseJsonText(text: string): JsonNode {
  const scanner: Scanner = scannerOf(text);
  const { take, plain, place } = scanner;
  const fail: Scanner["fail"] = (what) => scanner.fail(what);

  function children<Child extends Item>(close: RegExp, child: () => Omit<Child, "commaAt">): Child[] {
    const found: Child[] = [];
    let isOpen = true;
    for (take(blank); take(close) === null; take(blank)) {
      if (!isOpen) fail("a comma is missing");
      const next = child();
      take(blank);
      const commaAt = take(comma) === null ? null : place() - 1;
      isOpen = commaAt !== null;
      found.push({ ...next, commaAt } as Child);
    }
    return found;
  }

  function member(depth: number): Omit<Member, "commaAt"> {
    const key = plain(stringForm, "a key in quotes is missing");
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
    const start = place();
    if (take(braceOpen) !== null) {
      const members = children<Member>(braceClose, () => member(depth + 1));
      return { kind: "object", start, end: place(), children: members };
    }
    if (take(bracketOpen) !== null) {
      const items = children<Item>(bracketClose, () => item(depth + 1));
      return { kind: "array", start, end: place(), children: items };
    }
    return plain(plainForm, "this is not a JSON value");
  }

  take(blank);
  const root = node(0);
  take(blank);
  if (place() < text.length) fail("there is text after the end");
  return root;
}

interface Scanner {
  /** The token of this form here, and moves behind it; null if there is none. */
  take(form: RegExp): string | null;
  fail(what: string): never;
  plain(form: RegExp, what: string): PlainNode;
  place(): number;
}

/** Reads tokens from a place in the text that only moves forward. */
function scannerOf(text: string): Scanner {
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

  return { take, fail, plain, place: () => at };
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
