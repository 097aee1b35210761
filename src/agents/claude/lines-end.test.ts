import { describe, expect, test } from "vitest";
import {
  assistant,
  factsOf,
  type Json,
  message,
  title,
  user,
} from "../../../test/transcripts/claude-lines.js";
import { limits } from "../../limits.js";

describe("how a conversation ends", () => {
  const said = (text: string, more: Json = {}) =>
    assistant(50, { message: { model: "claude-x", content: [{ type: "text", text }] }, ...more });
  const failed = said("API Error: 500 oops", { isApiErrorMessage: true });
  const ran = { ...message(), type: "system", subtype: "local_command", content: "<command-name>/rename" };
  const words = "API Error: 500 oops";

  test.each<[string, (Json | string)[], Json | null]>([
    ["nothing was said", [title("t")], null],
    ["a person spoke", [user()], { end: "prompt", words: "" }],
    ["the model answered", [user(), said(" well \n")], { end: "answer", words: "well" }],
    ["the model talks like the client", [user(), said(words)], { end: "answer", words }],
    ["a turn failed", [user(), failed], { end: "error", words }],
    [
      "a note follows a failure",
      [user(), failed, { ...message(), type: "system", subtype: "turn_duration" }],
      { end: "error", words },
    ],
    ["a reminder follows a failure", [user(), failed, user({ isMeta: true })], { end: "error", words }],
    [
      "a sub-agent speaks after a failure",
      [failed, said("x", { isSidechain: true })],
      { end: "error", words },
    ],
    [
      "a sub-agent failed",
      [said("well"), { ...failed, isSidechain: true }],
      { end: "answer", words: "well" },
    ],
    ["an answer follows a failure", [failed, user(), said("well")], { end: "answer", words: "well" }],
    ["a person speaks after a failure", [failed, user()], { end: "prompt", words }],
    [
      "a person runs a command after a failure",
      [failed, { ...ran, timestamp: undefined }],
      { end: "prompt", words },
    ],
    [
      "another agent speaks after a failure",
      [failed, user({ isMeta: true, origin: { kind: "peer" } })],
      { end: "prompt", words },
    ],
    [
      "a failure is written before its prompt",
      [failed, user({ timestamp: "2026-01-01T00:00:00Z" })],
      { end: "error", words },
    ],
    [
      "a giant prompt follows a failure",
      [failed, user({ message: { content: "x".repeat(limits.transcriptPlainBytes) } })],
      { end: "prompt", words },
    ],
    [
      "the answer is a tool",
      [user(), assistant(50, { message: { content: [{ type: "tool_use" }] } })],
      { end: "answer", words: "" },
    ],
  ])("[JP9] is seen where %s", (_, lines, expected) => {
    const { lastTurn } = factsOf(...lines);
    if (expected === null) expect(lastTurn).toBeNull();
    else expect(lastTurn).toMatchObject(expected);
  });
});
