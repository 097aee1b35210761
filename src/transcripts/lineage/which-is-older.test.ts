import { describe, expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { firstWriterOf, type Holder } from "./which-is-older.js";

const hour = 3_600_000;

function holder(
  id: string,
  bornAtMs: number | null,
  firstOwnAtMs: number | null = null,
  copiedUntilMs: number | null = null,
): Holder {
  return { id: id as SessionId, bornAtMs, firstOwnAtMs, copiedUntilMs };
}

describe("the first writer of a message", () => {
  test.each<[string, Holder[], number | null, string, boolean]>([
    ["the only holder", [holder("a", null)], null, "a", false],
    ["the one whose file existed", [holder("copy", 9 * hour), holder("a", 0)], 500, "a", false],
    [
      "the one whose file was created a moment late",
      [holder("copy", hour), holder("a", 1400)],
      500,
      "a",
      false,
    ],
    ["the first born of several that existed", [holder("b", 2000), holder("a", 0)], 3000, "a", false],
    [
      "the original even if the copy wrote before it continued",
      [holder("a", 0, 9 * hour), holder("copy", hour, hour)],
      500,
      "a",
      false,
    ],
    [
      "a fork for its own messages",
      [holder("fork", hour), holder("fork of it", 3 * hour)],
      2 * hour,
      "fork",
      false,
    ],
  ])("is %s", (_, holders, writtenAtMs, elder, inferred) => {
    expect(firstWriterOf(holders, writtenAtMs)).toEqual({ id: elder, inferred, isGone: false });
    expect(firstWriterOf(holders.toReversed(), writtenAtMs)).toEqual({ id: elder, inferred, isGone: false });
  });

  test.each<[string, Holder[], number | null, string]>([
    ["restored files", [holder("a", 9 * hour, 2 * hour), holder("b", 8 * hour, 3 * hour)], 500, "a"],
    ["one restored file", [holder("a", 9 * hour, 2 * hour), holder("copy", 4 * hour, 4 * hour)], 500, "a"],
    ["a file that was created too late", [holder("copy", hour, hour), holder("a", 3500, 2 * hour)], 500, "a"],
    ["no birth times", [holder("a", null, 1), holder("b", null, 2)], 500, "a"],
    ["one birth time", [holder("a", null, 1), holder("b", 0, 2)], 500, "a"],
    ["equal births", [holder("a", 0, 1), holder("b", 0, 2)], 500, "a"],
    ["a message without a time", [holder("a", 5, 1), holder("b", 0, 2)], null, "a"],
    [
      "a holder without messages of its own",
      [holder("a", 9 * hour, null), holder("b", 8 * hour, 1)],
      500,
      "a",
    ],
    ["no evidence", [holder("b", null), holder("a", null)], null, "a"],
  ])("is inferred from the first own messages with %s", (_, holders, writtenAtMs, elder) => {
    expect(firstWriterOf(holders, writtenAtMs)).toEqual({ id: elder, inferred: true, isGone: false });
    expect(firstWriterOf(holders.toReversed(), writtenAtMs)).toEqual({
      id: elder,
      inferred: true,
      isGone: false,
    });
  });

  test.each<[string, Holder[], string, boolean, boolean]>([
    [
      "the first born of those that did not copy it",
      [holder("copy", 0, 900, 800), holder("a", 300)],
      "a",
      false,
      false,
    ],
    [
      "neither of two that copied it",
      [holder("b", 0, 900, 800), holder("a", 300, 950, 800)],
      "b",
      true,
      true,
    ],
  ])("is %s", (_, holders, elder, inferred, isGone) => {
    expect(firstWriterOf(holders, 500)).toEqual({ id: elder, inferred, isGone });
    expect(firstWriterOf(holders.toReversed(), 500)).toEqual({ id: elder, inferred, isGone });
  });
});
