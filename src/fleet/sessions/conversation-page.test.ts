import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { limits } from "../../limits.js";
import { type ConversationPage, readPage } from "./conversation-page.js";
import type { AnySession } from "./session-list.js";

let path: string;
beforeAll(() => {
  path = join(mkdtempSync(join(tmpdir(), "hm-page-")), "file.jsonl");
});
afterAll(() => rmSync(join(path, ".."), { recursive: true }));

const said = (text: string) => JSON.stringify({ type: "user", message: { role: "user", content: text } });
const note = JSON.stringify({ type: "file-history-snapshot", snapshot: {} });
const page = (count: number, before: number | null = null) =>
  readPage({ store: "transcripts", id: "x", path } as unknown as AnySession, { count, before });
const words = ({ messages }: ConversationPage) =>
  messages.map(({ blocks: [block] }) => (block?.kind === "text" ? block.text.slice(0, 20) : block?.kind));

test("the pages one after the other are the whole conversation", () => {
  const all = Array.from({ length: 23 }, (_, at) => `message ${at}`);
  writeFileSync(path, all.map((text) => `${said(text)}\n${note}\n\ntorn {"type\n`).join(""));
  for (const count of [1, 2, 5, 23, 100]) {
    const found: unknown[] = [];
    let before: number | null = null;
    do {
      const got: ConversationPage = page(count, before);
      expect(got.messages.length).toBeLessThanOrEqual(count);
      for (const { place } of got.messages) expect(place < (before ?? got.total)).toBe(true);
      found.unshift(...words(got));
      before = got.before;
    } while (before !== null);
    expect(found).toEqual(all);
  }
});

test("a message keeps its place while the conversation grows, and what is new is behind the old total", () => {
  writeFileSync(path, `${said("one")}\n${said("two")}\n${said("thr").slice(0, 9)}`);
  const before = page(10);
  expect(words(before)).toEqual(["one", "two"]);
  appendFileSync(path, `${said("thr").slice(9)}\n${said("four")}\n`);
  const after = page(10);
  expect(after.messages.slice(0, 2)).toEqual(before.messages);
  expect(words({ ...after, messages: after.messages.filter(({ place }) => place >= before.total) })).toEqual([
    "thr",
    "four",
  ]);
});

test("a last line without its end counts if it is whole", () => {
  writeFileSync(path, `${said("one")}\n${said("two")}`);
  expect(words(page(1))).toEqual(["two"]);
});

test("a place between two lines means the line that has it, and a place outside the file is no error", () => {
  writeFileSync(path, `${said("one")}\n${said("two")}\n${said("three")}\n`);
  const [, two, three] = page(10).messages;
  expect(words(page(10, two!.place))).toEqual(["one"]);
  expect(words(page(10, two!.place + 5))).toEqual(["one"]);
  expect(words(page(1, three!.place))).toEqual(["two"]);
  expect(page(10, 0)).toMatchObject({ messages: [], before: null });
  expect(words(page(1, 1e15))).toEqual(["three"]);
});

test("long messages make a page shorter, and a line too long to read keeps its place", () => {
  const long = "x".repeat(limits.pageBytes);
  writeFileSync(path, `${said("one")}\n${said(long)}\n${said(long)}\n`);
  const last = page(10);
  expect(last.messages).toHaveLength(1);
  expect(page(10, last.before).messages).toHaveLength(1);
  writeFileSync(path, `${said("one")}\n${said("y".repeat(limits.transcriptLineBytes + 10))}\n`);
  expect(words(page(10))).toEqual(["skipped"]);
  expect(words(page(10, page(10).before))).toEqual(["one"]);
});

test("an empty file has an empty page, a missing one is refused", () => {
  writeFileSync(path, "");
  expect(page(10)).toEqual({ messages: [], before: null, total: 0 });
  rmSync(path);
  expect(() => page(10)).toThrow(/has no file/);
});
