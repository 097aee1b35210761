import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import { digestOf, formatMark, markTranscript, parseMark, proofBehind, proofIn } from "./proof.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const runIt = { text: "run it", isCommand: false };
const line = (record: object) => `${JSON.stringify(record)}\n`;
const user = (content: unknown) => line({ type: "user", message: { role: "user", content } });
const command =
  "<command-name>/rename</command-name>\n  <command-message>rename</command-message>\n  <command-args>lead</command-args>";

test.each([
  ["what was said", user("run it"), "run it", true],
  ["what was said, in parts", user([{ type: "text", text: "run it" }]), "run it", true],
  [
    "what was enqueued",
    line({ type: "queue-operation", operation: "enqueue", content: "run it" }),
    "run it",
    true,
  ],
  ["a command, as a user's record", user(command), "/rename lead", true],
  [
    "a command, as a system's record",
    line({ type: "system", subtype: "local_command", content: command }),
    "/rename lead",
    true,
  ],
  [
    "a command without arguments",
    user(command.replace("lead", "").replaceAll("rename", "clear")),
    "/clear",
    true,
  ],
  ["a shell line", user("<bash-input>ls -l</bash-input>"), "!ls -l", true],
  [
    "the same words in an answer",
    line({ type: "assistant", message: { content: "run it" } }),
    "run it",
    false,
  ],
  ["words that quote it", user("he said: run it"), "run it", false],
  ["a command for another name", user(command), "/rename other", false],
  [
    "a sub-agent's prompt",
    line({ type: "user", isSidechain: true, message: { content: "run it" } }),
    "run it",
    false,
  ],
  [
    "what was taken out of the queue",
    line({ type: "queue-operation", operation: "remove", content: "run it" }),
    "run it",
    false,
  ],
  ["the result of a tool", user([{ type: "tool_result", content: "run it" }]), "run it", false],
  ["rubbish", "null\n{\n[]\n7\n", "run it", false],
  ["a line that is not whole yet", user("run it").trimEnd(), "run it", false],
])("[PF1] %s", (_, lines, text, is) => {
  expect(proofIn(lines, digestOf(text)) !== "nothing").toBe(is);
});

test("[PF2] only records after the mark count, also in a file that is new", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-proof-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const slug = join(folder, "projects", "-x");
  const path = join(slug, `${session}.jsonl`);
  const before = markTranscript(folder, session, runIt);
  expect(await proofBehind(before)).toBe("nothing");
  mkdirSync(slug, { recursive: true });
  writeFileSync(path, user("run it"));
  expect(await proofBehind(before)).toBe("taken");

  const later = markTranscript(folder, session, runIt);
  expect(await proofBehind(later)).toBe("nothing");
  appendFileSync(path, user("something else"));
  expect(await proofBehind(later)).toBe("nothing");
  appendFileSync(path, user("run it"));
  expect(await proofBehind(later)).toBe("taken");
});

const answer = (text: string, facts = {}) =>
  line({ type: "assistant", ...facts, message: { content: [{ type: "text", text }] } });
const enqueued = line({ type: "queue-operation", operation: "enqueue", content: "run it" });

test.each([
  ["a message alone", user("run it"), "taken"],
  ["a message and words of the agent", user("run it") + answer("done"), "answered"],
  ["words of the agent before it", answer("done") + user("run it"), "taken"],
  ["a sub-agent's words", user("run it") + answer("done", { isSidechain: true }), "taken"],
  ["enqueued, while the agent still speaks", enqueued + answer("about something else"), "taken"],
  ["enqueued, taken and answered", enqueued + answer("else") + user("run it") + answer("done"), "answered"],
])("[PF3] %s", (_, lines, proof) => {
  expect(proofIn(lines, digestOf("run it"))).toBe(proof);
});

const linked = (uuid: string, parentUuid: string | null, facts: object = {}) =>
  line({ type: "attachment", uuid, parentUuid, ...facts });
const asked = linked("a", null, { type: "user", message: { content: "run it" } });
const answered = { type: "assistant", message: { content: "done" } };

test.each([
  [
    "an answer that was written down before it",
    linked("c", "b", answered) + asked + linked("b", "a"),
    "answered",
  ],
  ["the late answer to another message", asked + linked("b", "z", answered), "taken"],
  ["a ring", asked + linked("b", "c", answered) + linked("c", "b"), "taken"],
  [
    "an answer behind a compaction",
    asked + linked("b", null, { type: "system", logicalParentUuid: "a" }) + linked("c", "b", answered),
    "answered",
  ],
])("[PF3] %s", (_, lines, proof) => {
  expect(proofIn(lines, digestOf("run it"))).toBe(proof);
});

test("[PF3] a command is answered once it was taken", () => {
  expect(proofIn(user(command), digestOf("/rename lead"))).toBe("answered");
});

test("[PF4] a mark survives a round trip with any folder name", () => {
  const folder = "/tmp/a|b \u0085 \u2028/claude";
  const facts = { folder, session, digest: digestOf("x"), isCommand: false };
  const mark = { ...facts, sizes: new Map([[`${folder}/projects/x.jsonl`, 7]]) };
  expect(formatMark(mark)).not.toMatch(/[|\u0080-\u009f\u2028]/);
  expect(parseMark(formatMark(mark))).toEqual(mark);
});

test.each(["", "{", "null", "{}", '{"digest":"x","session":"no","folder":"/","sizes":{}}'])(
  "[PF4] %j is no mark",
  (text) => {
    expect(parseMark(text)).toBeNull();
  },
);
