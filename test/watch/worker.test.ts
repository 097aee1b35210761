// Several watchers over one config folder: one works, the others look on and take over.

import { join } from "node:path";
import { expect, test } from "vitest";
import { readLock } from "../../src/base/files/lock.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json } from "../command.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { startWatching } from "./watching.js";

async function teamOfOne(): Promise<TestHome> {
  const home = testHome();
  startAgents(home, "web", ["--session-id", idOf(1), "-n", "lead"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  return home;
}

const saidIn = (home: TestHome) => texts(readTranscript(home, home.work, idOf(1)), "user");
const worker = (home: TestHome) => readLock(join(home.config, "hivemind.watching.lock"))?.holder?.pid;

test.each(["SIGKILL", "SIGTERM"] as const)(
  "[WO2] one watcher works and the other looks on; after %s of the first the other takes over",
  async (signal) => {
    const home = await teamOfOne();
    const first = await startWatching(home);
    // However seldom it looks at the fleet, it looks at the post.
    const second = await startWatching(home, ["--every", "3600"]);
    await second.tells("began", `looking on, because process ${first.pid}`);
    hivemind(home, ["queue", "append", "lead", "one"]);
    await until("the delivery", () => saidIn(home).includes("one"));
    const isSent = ({ fact }: Record<string, unknown>) => fact === "sent" || fact === "saved";
    expect(second.facts().filter(isSent)).toEqual([]);

    await first.ends(signal);
    await second.tells("began", "took over");
    hivemind(home, ["queue", "append", "lead", "two"]);
    await until("the delivery", () => saidIn(home).includes("two"));
    expect(saidIn(home)).toEqual(["one", "two"]);
    expect(await second.ends("SIGINT")).toBe(0);
    expect(json<{ stopped: null }>(home, ["watch", "--stop"])).toMatchObject({ stopped: null });
  },
);

test("[WO1] of many that look on, exactly one takes over", async () => {
  const home = await teamOfOne();
  const first = await startWatching(home);
  const others = [await startWatching(home), await startWatching(home), await startWatching(home)];
  await first.ends("SIGKILL");
  const hasTakenOver = (each: (typeof others)[number]) =>
    each.facts().some(({ fact, text }) => fact === "began" && String(text).startsWith("took over"));
  await until("the takeover", () => others.some(hasTakenOver));
  hivemind(home, ["queue", "append", "lead", "one"]);
  await until("the delivery", () => saidIn(home).includes("one"));
  const now = others.filter(hasTakenOver);
  expect(now).toHaveLength(1);
  expect(worker(home)).toBe(now[0]!.pid);
});
