import { describe, expect, test } from "vitest";
import type { MessageTurn } from "../../message-records.js";
import { digestOf } from "./message-records.js";
import { turnIn } from "./message-turn.js";

/** Records in order; each follows the previous one, unless `after` gives its parent. */
function records(...made: Made[]): string {
  let before: string | null = null;
  const lines = made.map(({ after, ...record }, at) => {
    const uuid = record.uuid ?? `r${at}`;
    const parentUuid = after === undefined ? before : after;
    before = uuid;
    return `${JSON.stringify({ parentUuid, ...record, uuid })}\n`;
  });
  return lines.join("");
}

type Made = Record<string, unknown> & { uuid?: string; after?: string | null };

const said = (text: string, more: Made = {}): Made => ({ type: "user", message: { content: text }, ...more });
const words = (text: string, stop: string | null = "end_turn", more: Made = {}): Made => ({
  type: "assistant",
  message: { content: [{ type: "text", text }], stop_reason: stop },
  ...more,
});
const tool: Made = {
  type: "assistant",
  message: { content: [{ type: "tool_use", name: "Bash", input: {} }], stop_reason: "tool_use" },
};
const result: Made = { type: "user", message: { content: [{ type: "tool_result", content: "hi" }] } };
const failed = words("API Error: 400 bad thing", "stop_sequence", { isApiErrorMessage: true });
const stopped = said("[Request interrupted by user for tool use]");
const ours = said("run it");
const note: Made = { type: "system", subtype: "turn_duration" };

describe("the turn of a message", () => {
  test.each<[string, string, MessageTurn["end"] | null, string]>([
    ["no record of the message", records(said("other"), words("x")), null, ""],
    ["it was taken", records(ours), "taken", ""],
    ["one answer", records(ours, words("done")), "answered", "done"],
    [
      "steps with a tool between",
      records(ours, words("I look", "tool_use"), tool, result, words("done"), note),
      "answered",
      "I look\n\ndone",
    ],
    ["a tool is still running", records(ours, words("I look", "tool_use"), tool), "begun", "I look"],
    ["a tool result without an answer", records(ours, tool, result), "begun", ""],
    [
      "several blocks of one answer",
      records(ours, {
        type: "assistant",
        message: {
          content: [
            { type: "thinking", thinking: "hm" },
            { type: "text", text: "a" },
            { type: "text", text: "b" },
          ],
          stop_reason: "end_turn",
        },
      }),
      "answered",
      "a\n\nb",
    ],
    ["only a tool, and then nothing to say", records(ours, tool, result, words("  ")), "answered", ""],
    ["an answer without a reason for its end", records(ours, words("done", null)), "answered", "done"],
    ["a failed turn", records(ours, failed), "failed", ""],
    [
      "a failure behind some words",
      records(ours, words("I look", "tool_use"), tool, result, failed),
      "failed",
      "I look",
    ],
    ["words behind a failure that was retried", records(ours, failed, words("done")), "answered", "done"],
    ["an interrupted turn", records(ours, tool, result, stopped), "interrupted", ""],
    [
      "an interruption behind words",
      records(ours, words("I look", "tool_use"), tool, result, stopped),
      "interrupted",
      "I look",
    ],
    [
      "the next message is another turn",
      records(ours, words("done"), note, said("more"), words("and more")),
      "answered",
      "done",
    ],
    [
      "the next message was interrupted",
      records(ours, words("done"), said("more"), stopped),
      "answered",
      "done",
    ],
    [
      "the next message is a command",
      records(ours, words("done"), said("<command-name>/x</command-name>"), words("x")),
      "answered",
      "done",
    ],
    [
      "two messages taken together, ours first",
      records(ours, said("more"), words("both")),
      "answered",
      "both",
    ],
    [
      "two messages taken together, ours last",
      records(said("more"), ours, words("both")),
      "answered",
      "both",
    ],
    [
      "a note of the client is no message",
      records(ours, words("a"), said("hook says go on", { isMeta: true }), words("b")),
      "answered",
      "a\n\nb",
    ],
    [
      "a sub-agent's words are not the agent's",
      records(ours, words("side", "end_turn", { isSidechain: true }), words("done")),
      "answered",
      "done",
    ],
    [
      "the client speaks in the model's place",
      records(ours, {
        type: "assistant",
        message: { model: "<synthetic>", content: [{ type: "text", text: "No response requested." }] },
      }),
      "answered",
      "",
    ],
    [
      "an answer that was written before its message",
      records(
        { ...tool, uuid: "a", after: "m" },
        { ...ours, uuid: "m", after: null },
        { ...result, after: "a" },
        words("done"),
      ),
      "answered",
      "done",
    ],
    [
      "a message handed over in the middle of a turn",
      records(
        said("slow"),
        tool,
        { type: "queue-operation", operation: "enqueue", content: "run it" },
        { ...result, after: "r1" },
        { type: "attachment", attachment: { type: "queued_command", prompt: "run it" } },
        words("done"),
      ),
      "answered",
      "done",
    ],
    [
      "a message that went back into the box",
      records(
        said("first"),
        words("ok"),
        { ...ours, uuid: "m" },
        said("second", { after: "r1" }),
        words("two"),
      ),
      "taken",
      "",
    ],
    [
      "the same words twice: the last counts",
      records(ours, words("one"), ours, words("two")),
      "answered",
      "two",
    ],
    [
      "records without ids",
      [ours, words("done"), said("more"), words("and more")]
        .map((each) => `${JSON.stringify(each)}\n`)
        .join(""),
      "answered",
      "done",
    ],
  ])("%s", (_, lines, end, expected) => {
    const turn = turnIn(lines, { digest: digestOf("run it") });
    expect(turn === null ? null : { end: turn.end, words: turn.words }).toEqual(
      end === null ? null : { end, words: expected },
    );
  });
});
