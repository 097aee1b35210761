// Reads YAML text into plain values, each with its place in the file.
//
// - Reading any text ends soon, in a value or in problems with their places; nothing is thrown.
// - Aliases are followed, as long as the result stays small.
// - One document of YAML 1.2: a number is a number, `yes` is text, and no tag changes a value.

import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  type YAMLMap,
} from "yaml";
import { limits } from "../limits.js";
import { inOrder, type Place, type Problem, quoted } from "./problem.js";

export type Yaml = Place &
  (
    | { is: "text"; text: string }
    /** `text` as in the file. */
    | { is: "number" | "boolean"; text: string }
    | { is: "nothing" }
    | { is: "list"; items: readonly Yaml[] }
    | { is: "mapping"; entries: readonly YamlEntry[] }
  );

export interface YamlEntry extends Place {
  key: string;
  value: Yaml;
}

/** The value is null for a file without content. */
export function readYaml(text: string): { value: Yaml | null; problems: Problem[] } {
  const lines = new LineCounter();
  const source = text.replace(/^\ufeff/, "");
  const tokens = [...new Parser(lines.addNewLine).parse(source)];
  const placeOf = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const refused = (offset: number, message: string) => ({
    value: null,
    problems: [{ ...placeOf(offset), message }],
  });
  // YAML files have no control characters, and terminals should not get them.
  const control = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/.exec(source);
  if (control !== null) return refused(control.index, "there is a control character");
  // Composing recurses with the nesting, and endless nesting would crash the process.
  if (isTooDeep(tokens)) return refused(0, tooDeep);

  const options = { prettyErrors: false, schema: "core", uniqueKeys: false, logLevel: "silent" } as const;
  const [document, second] = [...new Composer(options).compose(tokens, true, source.length)];
  if (second !== undefined) {
    return refused(
      second.range[0],
      "a second document begins; a team file has only one, without `---` inside",
    );
  }
  const { errors, warnings, directives, contents } = document as Document.Parsed;
  if (directives.yaml.version !== "1.2")
    return refused(0, "it is read as YAML 1.2, but declares another version");
  const unread = [...errors, ...warnings].map(({ pos, code, message }) => ({
    ...placeOf(pos[0]),
    message: code === "TAB_AS_INDENT" ? "a tab where YAML needs spaces" : message,
  }));
  if (unread.length > 0) return { value: null, problems: inOrder(unread) };
  if (contents === null) return { value: null, problems: [] };
  const found: Found = { problems: [], endless: [] };
  const value = valueReader(placeOf, found)(contents, 0);
  // The contents of such aliases cannot be checked.
  return found.endless.length > 0
    ? { value: null, problems: inOrder(found.endless) }
    : { value, problems: inOrder(found.problems) };
}

const tooDeep = "it is nested too deeply for a team file";

function isTooDeep(tokens: readonly CST.Token[]): boolean {
  let level: unknown[] = [...tokens];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limits.teamFileDepth) return true;
    level = level.flatMap(tokensBelow);
  }
  return false;
}

function tokensBelow(token: unknown): unknown[] {
  const { value, items } = token as { value?: unknown; items?: { key?: unknown; value?: unknown }[] };
  const inItems = (items ?? []).flatMap((item) => [item.key, item.value]);
  return [value, ...inItems].filter((below) => typeof below === "object" && below !== null);
}

type Placed = (offset: number) => Place;

interface Found {
  problems: Problem[];
  /** Aliases without a target, or without end. */
  endless: Problem[];
}

function valueReader(placeOf: Placed, { problems, endless }: Found) {
  const anchors = new Map<string, Node>();
  let count = 0;

  return function read(node: Node | null, offset: number, depth = 0): Yaml {
    const at = placeOf(node?.range?.[0] ?? offset);
    const nothing: Yaml = { ...at, is: "nothing" };
    const refuse = (message: string): Yaml => {
      if (endless.at(-1)?.message !== message) endless.push({ ...at, message });
      return nothing;
    };
    if (node === null) return nothing;
    if (depth > limits.teamFileDepth) return refuse(tooDeep);
    if (++count > limits.teamFileValues) return refuse("with its aliases expanded it is too large");
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      return target === undefined
        ? refuse(`there is no anchor ${quoted(`&${node.source}`)} before this`)
        : read(target, offset, depth + 1);
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isSeq<Node>(node)) {
      return { ...at, is: "list", items: node.items.map((item) => read(item, offset, depth + 1)) };
    }
    if (isMap<Node, Node | null>(node)) {
      return {
        ...at,
        is: "mapping",
        entries: entriesOf(node, placeOf, problems, (value, near) => read(value, near, depth + 1)),
      };
    }
    return isScalar(node) ? { ...at, ...scalarOf(node.value, node.source) } : nothing;
  };
}

function entriesOf(
  { items }: YAMLMap<Node, Node | null>,
  placeOf: Placed,
  problems: Problem[],
  read: (node: Node | null, offset: number) => Yaml,
): YamlEntry[] {
  const first = new Map<string, Place>();
  return items.flatMap(({ key: node, value }) => {
    const offset = node.range?.[0] ?? 0;
    const at = placeOf(offset);
    const key = isScalar(node) ? scalarText(node.value, node.source) : null;
    if (key === null) {
      problems.push({ ...at, message: "a key must be plain text" });
      return [];
    }
    const before = first.get(key);
    if (before !== undefined) {
      problems.push({ ...at, message: `${quoted(key)} is given twice: first in line ${before.line}` });
      return [];
    }
    first.set(key, at);
    return [{ ...at, key, value: read(value, offset) }];
  });
}

function scalarOf(value: unknown, source: string | undefined) {
  if (typeof value === "string") return { is: "text", text: value } as const;
  if (value === null) return { is: "nothing" } as const;
  return { is: typeof value === "boolean" ? "boolean" : "number", text: scalarText(value, source) } as const;
}

function scalarText(value: unknown, source: string | undefined): string {
  return typeof value === "string" ? value : (source ?? String(value));
}
