// A conversation as Markdown. Pure: messages in, text out.
//
// No control character reaches the text except line breaks and tabs. A message cannot end its own fence or fold,
// leave one open, or look like the heading of another message:
// - A line that would be a heading of level 1 or 2, or would start a block of HTML, gets a backslash, which Markdown
//   removes again. HTML would disable the fences inside it, and an open comment hides the text after it.
// - Code between fences is unchanged. A fence that is left open is closed.
// - An indented fence may be part of a list item and end with it. If its end is not certain, it is treated as text.

import type { Utterance, UtteranceBlock } from "../../agents/utterance.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { AnySession } from "../../fleet/sessions/session-list.js";
import { timeOf, writableBlock } from "./session-json.js";

export function markdownHead(entry: AnySession): string {
  const facts: [string, string | number | null][] = [
    ["session", entry.id],
    ["agent", entry.agent],
    ["folder", entry.workspace?.path ?? null],
    ["fingerprint", entry.workspace?.fingerprint ?? null],
    ["model", entry.model],
    ["messages", entry.messages],
    ["last written", timeOf(entry.updatedAtMs)],
  ];
  const lines = facts.flatMap(([name, value]) =>
    value === null ? [] : `- ${name}: ${harmless(String(value))}`,
  );
  return `# ${harmless(entry.title ?? entry.id)}\n\n${lines.join("\n")}\n`;
}

/** `number` counts from 1. */
export function markdownOf(message: Utterance, number: number): string {
  const time = timeOf(message.atMs);
  const heading = [
    number,
    message.isSide ? `${message.role} (helper)` : message.role,
    ...(time ? [time] : []),
  ];
  return `\n## ${heading.join(" · ")}\n\n${message.blocks.map(writableBlock).map(blockText).join("\n\n")}\n`;
}

function blockText(block: UtteranceBlock): string {
  switch (block.kind) {
    case "text":
      return guardedText(lines(block.text));
    case "thinking":
      return folded("thinking", block.text);
    case "tool_use":
      return folded(`tool: ${block.name}`, JSON.stringify(block.input, null, 2) ?? "");
    case "tool_result":
      return folded(
        `${block.isError ? "error" : "result"}${block.name ? ` of ${block.name}` : ""}`,
        block.output,
      );
    case "other":
      return `*(${inline(block.type) || "unknown"})*`;
    case "skipped":
      return `*(${block.sizeBytes} bytes in one line: too long to be read)*`;
  }
}

function folded(summary: string, text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  const body = `${fence}\n${lines(text)}\n${fence}`;
  return `<details><summary>${inline(summary)}</summary>\n\n${body}\n\n</details>`;
}

function lines(text: string): string {
  return text.replace(/\r\n/g, "\n").replace(/[^\n\t]+/g, harmless);
}

function inline(text: string): string {
  return harmless(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

export function guardedText(text: string): string {
  const all = text.split("\n");
  const written: string[] = [];
  let [codeEnd, run] = [-1, ""];
  for (const [at, line] of all.entries()) {
    const fence = at > codeEnd ? fenceIn(line) : null;
    if (fence !== null) [codeEnd, run] = [endOfFence(all, at, fence) ?? codeEnd, fence.run];
    const unsafe = fence === null ? blockStart : /^( *)/;
    written.push(at <= codeEnd ? line : line.replace(unsafe, "$1\\"));
  }
  if (codeEnd === all.length) written.push(run);
  return written.join("\n");
}

interface Fence {
  indent: number;
  /** Its backticks or tildes. */
  run: string;
}

const blockStart = /^( {0,3})(?=#{1,2}(?:\s|$)|<(?:[!?]|\/?[a-z][a-z\d-]*(?:[\s/>]|$)))/i;
const closing = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;

function fenceIn(line: string): Fence | null {
  const [, indent, run] = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})/.exec(line) ?? [];
  return run === undefined ? null : { indent: indent!.length, run };
}

/** The line that closes the fence, the line after the text if none does, or null if that is not certain. */
function endOfFence(all: readonly string[], from: number, { indent, run }: Fence): number | null {
  const isClosing = (line: string) => closing.exec(line)?.[1]?.startsWith(run);
  const isInside = (line: string) => /^[ \t]*$/.test(line) || line.startsWith(" ".repeat(indent));
  for (let at = from + 1; at < all.length; at++) {
    const line = all[at]!;
    const isSure = indent === 0 || isInside(line);
    if (isSure && isClosing(line)) return at;
    // A deeper fence line closes it inside a list, and does not outside one.
    if (!isSure || (indent > 0 && line.trimStart().startsWith(run))) return null;
  }
  return indent === 0 ? all.length : null;
}
