// The text of a message as blocks: a small part of Markdown. Pure, and it never loses a character of what was said.

export type TextBlock =
  | { kind: "paragraph" | "quote"; text: string }
  | { kind: "heading"; level: number; text: string }
  | { kind: "code"; language: string; lines: string[] }
  | { kind: "list"; items: ListItem[] }
  /** Aligned by spaces and bars: shown as it is. */
  | { kind: "table"; lines: string[] }
  | { kind: "rule" };

export interface ListItem {
  /** `1.` or `•` */
  mark: string;
  /** From 0. */
  level: number;
  text: string;
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*([\w+#.-]*).*$/;
const heading = /^ {0,3}(#{1,6})\s+(.*)$/;
const item = /^(\s*)([-*+•]|\d{1,9}[.)])\s+(.*)$/;
const rule = /^ {0,3}([-*_])( *\1){2,}\s*$/;

export function parseText(text: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    const opened = fence.exec(line);
    if (line.trim() === "") at++;
    else if (opened !== null) at = addCode(blocks, lines, at, opened);
    else if (rule.test(line)) {
      blocks.push({ kind: "rule" });
      at++;
    } else if (heading.test(line)) {
      const [, marks, words] = heading.exec(line)!;
      blocks.push({ kind: "heading", level: marks!.length, text: words! });
      at++;
    } else if (item.test(line)) at = addList(blocks, lines, at);
    else if (line.startsWith(">")) {
      const quoted = take(lines, at, (each) => each.startsWith(">"));
      blocks.push({ kind: "quote", text: quoted.map((each) => each.replace(/^> ?/, "")).join("\n") });
      at += quoted.length;
    } else if (line.trimStart().startsWith("|")) {
      const rows = take(lines, at, (each) => each.trimStart().startsWith("|"));
      blocks.push({ kind: "table", lines: rows });
      at += rows.length;
    } else {
      const said = take(lines, at, (each, index) => index === at || !startsBlock(each));
      blocks.push({ kind: "paragraph", text: said.join("\n") });
      at += said.length;
    }
  }
  return blocks;
}

/** A fence that is never closed ends with the text. */
function addCode(blocks: TextBlock[], lines: readonly string[], at: number, opened: RegExpExecArray): number {
  const [, marks, language] = opened;
  const closing = new RegExp(`^ {0,3}${marks![0]}{${marks!.length},}\\s*$`);
  let end = at + 1;
  while (end < lines.length && !closing.test(lines[end]!)) end++;
  blocks.push({ kind: "code", language: language ?? "", lines: lines.slice(at + 1, end) });
  return end + 1;
}

/** A line that is indented, or directly below an item, belongs to it. */
function addList(blocks: TextBlock[], lines: readonly string[], start: number): number {
  const items: ListItem[] = [];
  const indents: number[] = [];
  let at = start;
  for (; at < lines.length; at++) {
    const line = lines[at]!;
    const found = item.exec(line);
    if (found !== null) {
      const [, space, mark, text] = found;
      const indent = space!.length;
      while (indents.length > 0 && indents.at(-1)! > indent) indents.pop();
      if (indents.length === 0 || indents.at(-1)! < indent) indents.push(indent);
      items.push({ mark: /\d/.test(mark!) ? mark! : "•", level: indents.length - 1, text: text! });
    } else if (line.trim() === "") {
      const next = lines[at + 1] ?? "";
      if (!item.test(next) && !/^\s{2,}\S/.test(next)) break;
    } else if (startsBlock(line)) break;
    else items.at(-1)!.text += `\n${line.trimStart()}`;
  }
  blocks.push({ kind: "list", items });
  return at;
}

function startsBlock(line: string): boolean {
  return (
    line.trim() === "" || fence.test(line) || heading.test(line) || item.test(line) || /^\s*[>|]/.test(line)
  );
}

function take(
  lines: readonly string[],
  from: number,
  belongs: (line: string, index: number) => boolean,
): string[] {
  let end = from;
  while (end < lines.length && belongs(lines[end]!, end)) end++;
  return lines.slice(from, end);
}
