import { expect, test } from "vitest";
import type { MessageId } from "./queue-rows.js";
import { historyOf, idNow, lastSteps, movedReceipts, type ReceiptStep, receipt } from "./receipts.js";

const first = "web:0.1@100" as MessageId;
const second = "web:0.2@100" as MessageId;
const third = "web:0.0@100.2" as MessageId;
const other = "web:0.1@101" as MessageId;
const moved = (from: MessageId, to: MessageId) => movedReceipts(new Map([[from, to]]));
const of = (id: MessageId, ...steps: ReceiptStep[]) => steps.map((step) => receipt(id, step));

test("[RC1] a message that moved twice keeps its history, and nobody else gets it", () => {
  const rows = [
    ...of(first, "queued", "typing"),
    ...of(other, "queued"),
    ...moved(first, second),
    ...moved(second, third),
    ...of(third, "accepted"),
  ];
  expect(historyOf(rows, third).map(({ step }) => step)).toEqual(["queued", "typing", "accepted"]);
  expect(historyOf(rows, other).map(({ step }) => step)).toEqual(["queued"]);
  expect(idNow(rows, first)).toBe(third);
  expect([...lastSteps(rows)].map(([id, { step }]) => [id, step])).toEqual([
    [other, "queued"],
    [third, "accepted"],
  ]);
});

test("[RC2] who is quicker to type than its sender to write leaves the right last step", () => {
  const rows = [...of(first, "typing"), ...of(first, "queued")];
  expect(historyOf(rows, first).map(({ step }) => step)).toEqual(["queued", "typing"]);
  expect(lastSteps(rows).get(first)?.step).toBe("typing");
});

test("words that a row cannot hold are told without them", () => {
  expect(receipt(first, "uncertain", "a|b\nc\u009b").detail).toBe("a b c ");
});
