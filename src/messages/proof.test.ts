import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../names/gates.js";
import { isProvenBehind, markTranscript, proves } from "./proof.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
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
  expect(proves(lines, text)).toBe(is);
});

test("[PF2] only what came behind the mark counts, also in a file that was not there", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hm-proof-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const slug = join(folder, "projects", "-x");
  const path = join(slug, `${session}.jsonl`);
  const before = markTranscript(folder, session);
  expect(await isProvenBehind(before, "run it")).toBe(false);
  mkdirSync(slug, { recursive: true });
  writeFileSync(path, user("run it"));
  expect(await isProvenBehind(before, "run it")).toBe(true);

  const later = markTranscript(folder, session);
  expect(await isProvenBehind(later, "run it")).toBe(false);
  appendFileSync(path, user("something else"));
  expect(await isProvenBehind(later, "run it")).toBe(false);
  appendFileSync(path, user("run it"));
  expect(await isProvenBehind(later, "run it")).toBe(true);
});
