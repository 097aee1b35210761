import { expect, test } from "vitest";
import type { MessageId } from "./queue/queue-rows.js";
import { begunIds, historyOf, lastSteps, openHistories, type ReceiptStep, receipt } from "./receipts.js";

const first = "aaaaaaaaaa@100" as MessageId;
const other = "aaaaaaaaaa@101" as MessageId;
const of = (id: MessageId, ...steps: ReceiptStep[]) => steps.map((step) => receipt(id, "web:0.1", step));

test("[RC1] a delivery faster than its sender's record leaves the right last step", () => {
  const rows = [...of(first, "typing"), ...of(other, "queued"), ...of(first, "queued")];
  expect(historyOf(rows, first).map(({ step }) => step)).toEqual(["queued", "typing"]);
  expect(lastSteps(rows).get(first)?.step).toBe("typing");
  expect(lastSteps(rows).get(other)?.step).toBe("queued");
});

test("a message was begun once it was typed, also under an id of an earlier version", () => {
  const [a, b, c, d] = ["t:0.0@1", "t:0.1@1", "t:0.2@1", "t:0.3@1"] as MessageId[] as [
    MessageId,
    MessageId,
    MessageId,
    MessageId,
  ];
  const rows = [
    ...of(first, "queued"),
    ...of(other, "queued", "uncertain"),
    ...of(a, "queued", "typing"),
    receipt(a, "t:0.0", "moved", `${b} %5 77@5`),
    receipt(c, "t:0.2", "moved", d),
  ];
  expect([...begunIds(rows)].sort()).toEqual([other, a, b].sort());
});

test("characters that a row cannot hold are left out", () => {
  expect(receipt(first, null, "uncertain", "a|b\nc\u009b").detail).toBe("a b c ");
});

const aged = (rows: ReturnType<typeof of>, at: string) => rows.map((row) => ({ ...row, at }));
const nowMs = Date.parse("2026-01-02T00:00:00Z");
const [young, old] = ["2026-01-01T23:00:00Z", "2025-12-01T00:00:00Z"];

test.each([
  ["that is queued, however old", aged(of(first, "queued", "typing", "accepted"), old), [first], 3],
  ["that was typed and not confirmed", aged(of(first, "queued", "uncertain"), young), [], 2],
  ["that is open, for a day", aged(of(first, "queued", "typing"), old), [], 0],
  ["that is finished", aged(of(first, "queued", "accepted"), young), [], 0],
] as const)("[RC2] a rotation keeps the history of a message %s: %#", (_, older, waiting, count) => {
  expect(openHistories(older, [], { waiting, nowMs })).toEqual(older.slice(0, count));
});

test("[RC2] a rotation keeps a history in order, if the newer file has its end", () => {
  const older = [...of(first, "queued", "typing"), ...of(other, "queued", "accepted")];
  const current = of(first, "uncertain");
  const kept = openHistories(older, current, { waiting: [first], nowMs });
  expect(kept).toEqual([...older.slice(0, 2), ...current]);
  expect(openHistories([], [...older, ...current], { waiting: [first], nowMs })).toEqual([]);
});
