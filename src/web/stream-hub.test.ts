import { expect, onTestFinished, test } from "vitest";
import { limits } from "../limits.js";
import { openStreamHub, type Sink } from "./stream-hub.js";

/** A reader that takes its bytes at once, or never. */
function reader(reads: boolean) {
  const made = { text: "", unsent: 0, isEnded: false, isDestroyed: false };
  const sink: Sink = {
    write(bytes) {
      made.text += Buffer.from(bytes).toString();
      if (!reads) made.unsent += bytes.length;
    },
    get writableLength() {
      return made.unsent;
    },
    end: () => (made.isEnded = true),
    destroy: () => (made.isDestroyed = true),
  };
  return Object.assign(made, { sink });
}

function hub(onEmpty?: () => void) {
  const made = openStreamHub(onEmpty);
  onTestFinished(() => made.close());
  return made;
}

test("a reader gets the first events, then what follows, each as one line of data", () => {
  const [streams, one] = [hub(), reader(true)];
  streams.add(one.sink, [{ event: "fleet", data: { a: "x\ny" } }]);
  streams.send({ event: "delta", data: [1] });
  expect(one.text).toBe('event: fleet\ndata: {"a":"x\\ny"}\n\nevent: delta\ndata: [1]\n\n');
});

test("[SH1] a reader that never reads is dropped at a bound, and the others get everything", () => {
  const [streams, slow, fine] = [hub(), reader(false), reader(true)];
  streams.add(slow.sink, []);
  streams.add(fine.sink, []);
  const data = "x".repeat(100_000);
  for (let count = 0; count < 100; count++) streams.send({ event: "delta", data });
  expect(slow.isDestroyed).toBe(true);
  expect(slow.unsent).toBeLessThan(limits.streamBacklogBytes + 2 * data.length);
  expect(fine.text.length).toBeGreaterThan(100 * data.length);
  expect([fine.isDestroyed, streams.size]).toEqual([false, 1]);
});

test("[SH2] an event is encoded once, however many readers there are", () => {
  const streams = hub();
  let times = 0;
  const data = { toJSON: () => ++times };
  for (let count = 0; count < 10; count++) streams.add(reader(true).sink, []);
  streams.send({ event: "delta", data });
  expect(times).toBe(1);
});

test("the last reader that leaves is told once, and the end of the hub ends its streams", () => {
  let times = 0;
  const streams = hub(() => times++);
  const [one, two] = [reader(true), reader(true)];
  const leave = streams.add(one.sink, []);
  leave();
  leave();
  expect(times).toBe(1);
  streams.add(two.sink, []);
  streams.close();
  expect([two.isEnded, times]).toEqual([true, 2]);
});
