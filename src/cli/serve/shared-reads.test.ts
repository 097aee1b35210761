import { expect, test } from "vitest";
import { openSharedReads } from "./shared-reads.js";

const never = new AbortController().signal;

function counted() {
  const signals: AbortSignal[] = [];
  const ends: ((answer: number) => void)[] = [];
  const work = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<number>((resolve) => ends.push(resolve));
  };
  return { work, signals, ends };
}

test("equal questions share one answer, others do not, and a later one gets its own", async () => {
  const reads = openSharedReads();
  const { work, signals, ends } = counted();
  const [a, again, b] = [
    reads.ask("a", never, work),
    reads.ask("a", never, work),
    reads.ask("b", never, work),
  ];
  expect(signals).toHaveLength(2);
  ends[0]!(1);
  ends[1]!(2);
  expect(await Promise.all([a, again, b])).toEqual([1, 1, 2]);
  const later = reads.ask("a", never, work);
  expect(signals).toHaveLength(3);
  ends[2]!(3);
  expect(await later).toBe(3);
});

test("the work stops when the last one who waits has gone, not before", async () => {
  const reads = openSharedReads();
  const { work, signals } = counted();
  const [one, two] = [new AbortController(), new AbortController()];
  void reads.ask("a", one.signal, work);
  void reads.ask("a", two.signal, work);
  one.abort();
  expect(signals[0]!.aborted).toBe(false);
  two.abort();
  expect(signals[0]!.aborted).toBe(true);
  void reads.ask("a", never, work);
  expect(signals).toHaveLength(2);
});

test("after a change a question does not get an answer from before", async () => {
  const reads = openSharedReads();
  const { work, signals, ends } = counted();
  const before = reads.ask("a", never, work);
  reads.forget();
  const after = reads.ask("a", never, work);
  expect(signals).toHaveLength(2);
  ends[1]!(2);
  ends[0]!(1);
  expect(await Promise.all([before, after])).toEqual([1, 2]);
});

test("a failure reaches everybody who asked, and the next question is asked again", async () => {
  const reads = openSharedReads();
  const fail = async () => {
    throw new Error("broken");
  };
  const both = [reads.ask("a", never, fail), reads.ask("a", never, fail)];
  for (const each of both) await expect(each).rejects.toThrow("broken");
  expect(await reads.ask("a", never, async () => 1)).toBe(1);
});
