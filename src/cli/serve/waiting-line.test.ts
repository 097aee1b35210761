import { expect, test } from "vitest";
import { openLine } from "./waiting-line.js";

const never = new AbortController().signal;
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Work that ends when the test says so. */
function held() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { work: () => done, end };
}

test("so many run at once, the others begin in their order, and what does not fit is refused", async () => {
  const line = openLine(2, 2);
  const begun: number[] = [];
  const works = Array.from({ length: 5 }, held);
  const all = works.map(({ work }, at) =>
    line(() => {
      begun.push(at);
      return work();
    }, never),
  );
  await expect(all[4]).rejects.toThrow(/too much to do/);
  await soon();
  expect(begun).toEqual([0, 1]);
  works[1]!.end();
  await all[1];
  await soon();
  expect(begun).toEqual([0, 1, 2]);
  works[0]!.end();
  works[2]!.end();
  await Promise.all([all[0], all[2]]);
  await soon();
  expect(begun).toEqual([0, 1, 2, 3]);
  works[3]!.end();
  await all[3];
});

test("who goes away while waiting leaves the line, and failed work makes room", async () => {
  const line = openLine(1, 1);
  const first = held();
  const running = line(first.work, never);
  const gone = new AbortController();
  const waiting = line(async () => "never", gone.signal);
  gone.abort();
  await expect(waiting).rejects.toThrow();
  const next = line(async () => {
    throw new Error("broken");
  }, never);
  first.end();
  await running;
  await expect(next).rejects.toThrow("broken");
  expect(await line(async () => "done", never)).toBe("done");
});
