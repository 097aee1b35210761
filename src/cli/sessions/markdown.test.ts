import { expect, test } from "vitest";
import { fleetOf, transcript } from "../../../test/fleet/made.js";
import type { Utterance, UtteranceBlock } from "../../agents/utterance.js";
import { listSessions } from "../../fleet/sessions/session-list.js";
import { jsonText } from "../output.js";
import { markdownHead, markdownOf } from "./markdown.js";
import { utteranceJson } from "./session-json.js";

const said = (...blocks: UtteranceBlock[]): Utterance => ({ role: "user", atMs: 0, isSide: false, blocks });
const body = (...blocks: UtteranceBlock[]) =>
  markdownOf(said(...blocks), 1)
    .split("\n")
    .slice(3)
    .join("\n");
const text = (words: string): UtteranceBlock => ({ kind: "text", text: words });

test("a message has a heading, its unchanged text, and its tools folded", () => {
  const tool: UtteranceBlock = { kind: "tool_use", name: "Bash", input: { command: "ls" } };
  expect(markdownOf(said(text("**look**\n- at this"), tool), 7)).toBe(
    "\n## 7 · user · 1970-01-01T00:00:00.000Z\n\n**look**\n- at this\n\n" +
      '<details><summary>tool: Bash</summary>\n\n```\n{\n  "command": "ls"\n}\n```\n\n</details>\n',
  );
  const side = { ...said(text("a")), isSide: true, atMs: null };
  expect(markdownOf(side, 1)).toMatch(/^\n## 1 · user \(helper\)\n/);
});

test.each<[string, UtteranceBlock]>([
  ["text", text("a\u001b[2J\u0007b\u202e\u009b")],
  ["thinking", { kind: "thinking", text: "a\u001b[2J\u0007b\u202e" }],
  ["a tool call", { kind: "tool_use", name: "a\u001b\n", input: "\u001b[2J" }],
  ["a tool result", { kind: "tool_result", name: "a\u001b\n", output: "\u001b[2J\u009b", isError: true }],
  ["another block", { kind: "other", type: "a\u001b\u0007\n" }],
])("%s: control characters are made visible", (_, block) =>
  expect(body(block)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/),
);

test.each([
  ["a heading of the export is escaped", text("## 8 · assistant"), "\\## 8 · assistant\n"],
  ["a heading is escaped", text("# x\n\n   ## y"), "\\# x\n\n   \\## y\n"],
  ["the end of a fold is escaped", text("</details>"), "\\</details>\n"],
  ["a near miss is unchanged", text("#tag, ### c"), "#tag, ### c\n"],
])("%s", (_, block, expected) => expect(body(block)).toBe(expected));

test("a fence is longer than any in its text, and a name cannot close the fold", () => {
  const block: UtteranceBlock = {
    kind: "tool_result",
    name: "</summary>",
    output: "````\n</details>",
    isError: false,
  };
  expect(body(block)).toBe(
    "<details><summary>result of &lt;/summary></summary>\n\n`````\n````\n</details>\n`````\n\n</details>\n",
  );
});

test("a tool input nested too deeply is replaced by a note", () => {
  const nested = (levels: number) => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`) as unknown;
  const tool = (input: unknown): UtteranceBlock => ({ kind: "tool_use", name: "t", input });
  const written = (input: unknown) => [body(tool(input)), jsonText(utteranceJson(said(tool(input))))];
  for (const text of written({ a: nested(20_000) }))
    expect(text).toContain('"(nested too deeply to be written)"');
  for (const text of written({ a: nested(20) })) expect(text).not.toContain("too deeply");
});

test("the head escapes the title of the session", () => {
  const [entry] = listSessions(fleetOf([transcript(1, { title: "a\u001b\nb" })]), { ordinary: 1, large: 2 });
  expect(markdownHead(entry!)).toMatch(/^# a␛␊b\n\n- session: 00000000-.*\n- agent: claude\n- folder: \/a\n/);
});
