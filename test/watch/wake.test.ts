import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openWake } from "../../src/watch/wake.js";
import { testHome } from "../home.js";

const longMs = 30_000;
const never = new AbortController().signal;

function watched(...names: string[]) {
  const { work } = testHome();
  const folders = (names.length > 0 ? names : ["a"]).map((name) => join(work, name));
  for (const folder of folders) mkdirSync(folder);
  const troubles: string[] = [];
  const wake = openWake((why) => troubles.push(why));
  onTestFinished(() => wake.close());
  wake.follow(folders);
  return { wake, folders, troubles, work };
}

test("a change wakes the loop, also one that came while the loop worked", async () => {
  const { wake, folders } = watched("a", "b");
  const resting = wake.next(0, longMs, never);
  writeFileSync(join(folders[1]!, "x"), "");
  expect(await resting).toBe("change");
  await seen(folders[0]!, () => writeFileSync(join(folders[0]!, "y"), ""));
  expect(await wake.next(1, longMs, never)).toBe("change");
  expect(await wake.next(0, 50, never)).toBe("tick");
});

/** Resolves when another watcher of that folder has heard of it. */
async function seen(folder: string, change: () => void): Promise<void> {
  const witness = openWake(() => {});
  witness.follow([folder]);
  change();
  await witness.next(0, longMs, never);
  witness.close();
}

test("changes that come together are one wake, after the rest that was asked for", async () => {
  const { wake, folders } = watched();
  const [folder] = folders as [string];
  await seen(folder, () => {
    for (let count = 0; count < 20; count++) writeFileSync(join(folder, `x${count}`), "");
  });
  const order: string[] = [];
  const resting = wake.next(500, longMs, never).then((by) => order.push(by));
  await rest(490).then(() => order.push("rest"));
  await resting;
  expect(order).toEqual(["rest", "change"]);
  expect(await wake.next(0, 50, never)).toBe("tick");
});

test("a folder that is made later, or replaced, is watched from the next turn on", async () => {
  const { wake, work } = watched();
  const later = join(work, "later");
  wake.follow([later]);
  mkdirSync(later);
  wake.follow([later]);
  writeFileSync(join(later, "x"), "");
  expect(await wake.next(0, longMs, never)).toBe("change");
  renameSync(later, `${later}.old`);
  mkdirSync(later);
  wake.follow([later]);
  await wake.next(0, 50, never);
  writeFileSync(join(later, "y"), "");
  expect(await wake.next(0, longMs, never)).toBe("change");
});

test("a folder that is taken away, or is none, costs nothing but the tick", async () => {
  const { wake, folders, troubles, work } = watched();
  writeFileSync(join(work, "file"), "");
  rmSync(folders[0]!, { recursive: true });
  wake.follow([...folders, join(work, "file"), join(work, "file", "below")]);
  await wake.next(0, 50, never);
  expect(await wake.next(0, 50, never)).toBe("tick");
  expect(troubles).toEqual([]);
});

test.each([".x.123-tmp", "hivemind.roles.env.lock", "hivemind.roles.env.lock.~ab12", "hivemind.watch.log"])(
  "%s is no change",
  async (name) => {
    const { wake, folders } = watched();
    writeFileSync(join(folders[0]!, name), "");
    expect(await wake.next(0, 100, never)).toBe("tick");
  },
);

test("an end is heard at once, and leaves no descriptor", async () => {
  const open = () => readdirSync("/proc/self/fd").length;
  const before = open();
  const { wake } = watched("a", "b");
  const stop = new AbortController();
  const resting = wake.next(longMs, longMs, stop.signal);
  stop.abort();
  await resting;
  wake.close();
  // The one inotify descriptor of the process stays with it.
  expect(open()).toBeLessThanOrEqual(before + 1);
});
