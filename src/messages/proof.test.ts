import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import { formatMark, type Mark, markTranscript, parseMark, proofBehind } from "./proof.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const runIt = { text: "run it", isCommand: false };
const user = (content: unknown) =>
  `${JSON.stringify({ type: "user", message: { role: "user", content } })}\n`;

test("[PF2] only records after the mark count, also in a file that is new", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-proof-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const slug = join(folder, "projects", "-x");
  const path = join(slug, `${session}.jsonl`);
  const before = markTranscript({ kind: "claude", folder, session }, "keys", runIt);
  expect(await proofBehind(before)).toBe("nothing");
  mkdirSync(slug, { recursive: true });
  writeFileSync(path, user("run it"));
  expect(await proofBehind(before)).toBe("taken");

  const later = markTranscript({ kind: "claude", folder, session }, "keys", runIt);
  expect(await proofBehind(later)).toBe("nothing");
  appendFileSync(path, user("something else"));
  expect(await proofBehind(later)).toBe("nothing");
  appendFileSync(path, user("run it"));
  expect(await proofBehind(later)).toBe("taken");
});

test.each<Partial<Mark>>([
  { door: "keys" },
  { door: "inbox", id: "aaaaaaaaaa@100.2", from: "tester", client: "1,2,3,4,5" },
])("[PF4] a mark with %j survives a round trip with any folder name", (facts) => {
  const folder = "/tmp/a|b \u0085 \u2028/claude";
  const sizes = new Map([[`${folder}/projects/x.jsonl`, 7]]);
  const mark = { kind: "demo", folder, session, digest: "d", isCommand: false, sizes, ...facts } as Mark;
  expect(formatMark(mark)).not.toMatch(/[|\u0080-\u009f\u2028]/);
  expect(parseMark(formatMark(mark))).toEqual(mark);
});

test("[PF4] a mark of an earlier version is one of its only door", () => {
  const text = `{"folder":"/c","session":"${session}","sizes":{},"digest":"d","isCommand":true}`;
  const [door, kind] = ["keys", "claude"];
  expect(parseMark(text)).toEqual({
    door,
    kind,
    folder: "/c",
    session,
    sizes: new Map(),
    digest: "d",
    isCommand: true,
  });
});

test.each(["", "{", "null", "{}", '{"digest":"x","session":"no","folder":"/","sizes":{}}'])(
  "[PF4] %j is no mark",
  (text) => {
    expect(parseMark(text)).toBeNull();
  },
);
