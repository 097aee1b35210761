import { expect, test } from "vitest";
import { sharedLook } from "./shared-world.js";

/** Looks that end when the test says so. */
function looks() {
  const ends: (() => void)[] = [];
  let begun = 0;
  const look = () => {
    const number = ++begun;
    return new Promise<number>((resolve) => void ends.push(() => resolve(number)));
  };
  const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  return { look: sharedLook(look), turn, end: () => ends.shift()!(), begun: () => begun };
}

test("those who ask together share one look", async () => {
  const { look, turn, end, begun } = looks();
  const asked = [look(), look(), look()];
  await turn();
  end();
  expect(await Promise.all(asked)).toEqual([1, 1, 1]);
  expect(begun()).toBe(1);
});

test("whoever asks during a look gets a later one", async () => {
  const { look, turn, end } = looks();
  const first = look();
  await turn();
  const second = [look(), look()];
  end();
  expect(await first).toBe(1);
  await turn();
  end();
  expect(await Promise.all(second)).toEqual([2, 2]);
});

test("a failed look fails those who shared it, and nobody else", async () => {
  let tries = 0;
  const look = sharedLook(async () => {
    if (++tries === 1) throw new Error("no answer");
    return tries;
  });
  await expect(look()).rejects.toThrow("no answer");
  expect(await look()).toBe(2);
});
