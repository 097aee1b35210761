import { expect, test } from "vitest";
import type { MessageId } from "./queue-rows.js";
import {
  historyOf,
  idNow,
  lastSteps,
  movedReceipts,
  type Owner,
  openHistories,
  ownersOf,
  type ReceiptStep,
  receipt,
} from "./receipts.js";

const first = "web:0.1@100" as MessageId;
const second = "web:0.2@100" as MessageId;
const third = "web:0.0@100.2" as MessageId;
const other = "web:0.1@101" as MessageId;
const moved = (from: MessageId, to: MessageId, owner: Owner | null = null) =>
  movedReceipts([{ from, to, owner }]);
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

const [one, two]: [Owner, Owner] = [
  { id: "%5", server: "77@5" },
  { id: "%6", server: "78@5" },
];
const queued = (id: MessageId, detail = "%5 77@5") => receipt(id, "queued", detail);

test.each([
  ["that was queued is for its pane", [queued(first)], { [first]: one }],
  [
    "that moved is for it still, by either id",
    [queued(first), ...moved(first, second)],
    { [first]: one, [second]: one },
  ],
  [
    "is for the pane it moved with where none was known",
    moved(first, second, two),
    { [first]: two, [second]: two },
  ],
  [
    "of another server is for who took it over",
    [queued(first), ...moved(first, second, two)],
    { [first]: two, [second]: two },
  ],
  [
    "that moved before it was written down",
    [...moved(first, second), queued(first)],
    { [first]: one, [second]: one },
  ],
  ["of nobody, or of words", [queued(first, ""), queued(other, "%5 77@5 %6"), ...of(third, "typing")], {}],
])("[RC3] a message %s", (_, rows, expected) => expect(Object.fromEntries(ownersOf(rows))).toEqual(expected));

test("[RC1] a message that moved with a pane that is told has its history too", () => {
  const rows = [...of(first, "queued", "typing"), ...moved(first, second, two)];
  expect(historyOf(rows, second).map(({ step }) => step)).toEqual(["queued", "typing"]);
  expect([idNow(rows, first), lastSteps(rows).get(second)?.step]).toEqual([second, "typing"]);
});

test("words that a row cannot hold are told without them", () => {
  expect(receipt(first, "uncertain", "a|b\nc\u009b").detail).toBe("a b c ");
});

const aged = (rows: ReturnType<typeof of>, at: string) => rows.map((row) => ({ ...row, at }));
const nowMs = Date.parse("2026-01-02T00:00:00Z");
const [young, old] = ["2026-01-01T23:00:00Z", "2025-12-01T00:00:00Z"];

test.each([
  ["that waits, however old", aged(of(first, "queued", "typing", "accepted"), old), [first], 3],
  ["that was typed and not confirmed", aged(of(first, "queued", "uncertain"), young), [], 2],
  ["that is open, for a day", aged(of(first, "queued", "typing"), old), [], 0],
  ["that is over", aged(of(first, "queued", "accepted"), young), [], 0],
  ["that moved and waits", [...of(first, "queued"), ...moved(first, second)], [second], 2],
] as const)("[RC4] a rotation keeps the history of a message %s: %#", (_, older, waiting, count) => {
  expect(openHistories(older, [], { waiting, nowMs })).toEqual(older.slice(0, count));
});

test("[RC4] a rotation keeps a history in its order, where the newer file has its end", () => {
  const older = [...of(first, "queued", "typing"), ...of(other, "queued", "accepted")];
  const current = of(first, "uncertain");
  const kept = openHistories(older, current, { waiting: [first], nowMs });
  expect(kept).toEqual([...older.slice(0, 2), ...current]);
  expect(openHistories([], [...older, ...current], { waiting: [first], nowMs })).toEqual([]);
});
