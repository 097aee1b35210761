import { afterEach, beforeEach, expect, test } from "vitest";
import { apartFromTerminal, confirmed, confirmOrRefuse, isApart } from "./ask.js";
import type { Input } from "./command.js";

const streams = [process.stdin, process.stderr];
const before = streams.map(({ isTTY }) => isTTY);
const setTty = (values: readonly boolean[]) => {
  for (const [at, stream] of streams.entries()) {
    Object.defineProperty(stream, "isTTY", { value: values[at], configurable: true });
  }
};
beforeEach(() => setTty([true, true]));
afterEach(() => setTty(before));

test("a command of somebody who is not at this terminal asks nothing here", async () => {
  expect(await apartFromTerminal(() => confirmed("Go on?"))).toBeNull();
  const input = { flag: () => false } as unknown as Input;
  const asked = () => confirmOrRefuse(input, { would: ["end it"], command: "agent kill x" });
  await expect(apartFromTerminal(asked)).rejects.toThrow("this would end it");
});

test("only the work itself is apart, also after it waited", async () => {
  const later = apartFromTerminal(async () => {
    await new Promise<void>((resolve) => setImmediate(resolve));
    return isApart();
  });
  expect(isApart()).toBe(false);
  expect(await later).toBe(true);
});
