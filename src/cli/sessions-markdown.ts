// A conversation as Markdown. Pure: what was said in, text out.
//
// [MD1] No control character of a message reaches the text but line breaks and tabs.
// [MD2] Nothing that was said can end its own fence or fold, leave one open, or pass for the heading of another message.

import type { Said, SaidBlock } from "../agents/said.js";
import { harmless } from "../base/harmless.js";
import type { AnySession } from "../fleet/session-list.js";
import { guardedText } from "./markdown-text.js";
import { timeOf, writableBlock } from "./sessions-json.js";

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
export function markdownOf(said: Said, number: number): string {
  const time = timeOf(said.atMs);
  const heading = [number, said.isSide ? `${said.role} (helper)` : said.role, ...(time ? [time] : [])];
  return `\n## ${heading.join(" · ")}\n\n${said.blocks.map(writableBlock).map(blockText).join("\n\n")}\n`;
}

function blockText(block: SaidBlock): string {
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
