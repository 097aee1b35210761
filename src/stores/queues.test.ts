import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testHome } from "../../test/home.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { MessageId } from "./queue/queue-rows.js";
import { openQueues, type Queues } from "./queues.js";

const [a, b, c] = ["aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc"] as [AgentId, AgentId, AgentId];
const open = () => openQueues(join(testHome().config, "hivemind.queue"));
const texts = (queues: Queues, agent: AgentId) => queues.read(agent).messages.map(({ text }) => text);
const files = (queues: Queues) =>
  readdirSync(queues.folder)
    .filter((name) => name !== ".last")
    .sort();
const dead = (queues: Queues) => {
  const folder = join(queues.folder, "dead");
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
};

async function fill(queues: Queues, agent: AgentId, ...messages: string[]) {
  for (const text of messages) await queues.append(agent, "inform", text);
}

afterEach(() => {
  vi.useRealTimers();
});

describe("queues", () => {
  test("[QU1] are first in, first out, and lose nothing to writers that overlap (incident 44)", async () => {
    const queues = open();
    await fill(queues, a, "1", "2");
    const first = queues.read(a).messages[0]!;
    const appends = Array.from({ length: 20 }, (_, at) => queues.append(a, "inform", `more ${at}`));
    const [removed, ...appended] = await Promise.all([queues.remove([first.id]), ...appends]);
    expect(removed).toEqual([first]);
    expect(texts(queues, a)[0]).toBe("2");
    expect(texts(queues, a)).toHaveLength(21);
    expect(new Set(appended.map(({ message }) => message.id)).size).toBe(20);
  });

  test("report the position, and remove by id only once (incident 42)", async () => {
    const queues = open();
    await fill(queues, a, "1");
    const { message, position } = await queues.append(a, "remote-control:Enter", "2");
    expect([message.text, message.intent, position]).toEqual(["2", "remote-control:Enter", 2]);
    expect(await queues.remove([message.id])).toHaveLength(1);
    expect(await queues.remove([message.id])).toEqual([]);
    expect(texts(queues, a)).toEqual(["1"]);
  });

  test("[QU2] bury a message once, even if the process was killed before it left the queue", async () => {
    const queues = open();
    await fill(queues, a, "1", "2");
    const before = readFileSync(queues.fileOf(a));
    const [first] = queues.read(a).messages;
    await queues.bury([first!.id]);
    writeFileSync(queues.fileOf(a), before);
    await queues.bury([first!.id]);
    expect(texts(queues, a)).toEqual(["2"]);
    expect(dead(queues)).toEqual([expect.stringMatching(/^\d+(\.\d+)?\|inform\|1\n$/)]);
  });

  test("[QU2] that are cleared are kept in dead/, each time in a new file", async () => {
    const queues = open();
    for (const text of ["1", "2"]) {
      await fill(queues, a, text);
      expect((await queues.clear(a)).map((message) => message.text)).toEqual([text]);
    }
    expect(await queues.clear(a)).toEqual([]);
    expect(texts(queues, a)).toEqual([]);
    expect(dead(queues)).toHaveLength(2);
  });

  test(`[QU3] accept ${limits.queueRows} messages and refuse the next`, async () => {
    const queues = open();
    mkdirSync(queues.folder, { recursive: true });
    writeFileSync(
      queues.fileOf(a),
      Array.from({ length: limits.queueRows - 1 }, (_, at) => `${at}|inform|x\n`).join(""),
    );
    expect((await queues.append(a, "inform", "last")).position).toBe(limits.queueRows);
    const before = readFileSync(queues.fileOf(a), "utf8");
    await expect(queues.append(a, "inform", "one more")).rejects.toThrow(/full/);
    expect(readFileSync(queues.fileOf(a), "utf8")).toBe(before);
  });

  test("list their agents, and discard empty files", async () => {
    const queues = open();
    mkdirSync(queues.folder, { recursive: true });
    for (const name of ["other.txt", "t_0_1.queue"]) writeFileSync(join(queues.folder, name), "");
    writeFileSync(queues.fileOf(b), "");
    writeFileSync(queues.fileOf(c), "# note\n");
    await fill(queues, a, "1");
    expect(queues.agents()).toEqual([a, b, c]);
    expect(await queues.discardEmpty()).toEqual([b]);
    expect(files(queues)).toEqual([`${a}.queue`, `${c}.queue`, "other.txt", "t_0_1.queue"]);
  });

  test("[QU4] are not cleared while a process drains them", async () => {
    const queues = open();
    await fill(queues, a, "1");
    let isDrained = false;
    const changed = await queues.whileDraining(a, async () => {
      const [message] = queues.read(a).messages;
      const clearing = queues.clear(a).then(() => isDrained);
      await fill(queues, a, "2");
      expect(await queues.remove([message!.id])).toHaveLength(1);
      isDrained = true;
      return { clearing };
    });
    expect(await changed.clearing).toBe(true);
    expect(dead(queues).join()).toMatch(/\|2\n$/);
  });

  test("[QU5] a stamp of another writer is not reused when its message has left", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const queues = open();
    await fill(queues, b, "gives 100");
    writeFileSync(queues.fileOf(a), "100|inform|theirs\n100|inform|theirs too\n");
    const taken = queues.read(a).messages.map(({ id }) => id);
    await queues.remove(taken);
    const { message } = await queues.append(a, "inform", "ours");
    expect([taken, message.id]).toEqual([[`${a}@100`, `${a}@100.2`], `${a}@100.3`]);
  });

  test("[QU5] share one counter: a later message has a later stamp, in any queue", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const queues = open();
    const stamps: string[] = [];
    const append = async (agent: AgentId) =>
      stamps.push((await queues.append(agent, "inform", "x")).message.stamp);
    for (const agent of [a, b, a]) await append(agent);
    vi.setSystemTime(101_000);
    await append(b);
    // Set back: new ids come after the last one, also in a queue that was emptied.
    vi.setSystemTime(95_000);
    await queues.remove(queues.ids());
    await queues.discardEmpty();
    for (const agent of [a, b]) await append(agent);
    vi.setSystemTime(102_000);
    await append(a);
    expect(stamps).toEqual(["100", "100.2", "100.3", "101", "101.2", "101.3", "102"]);
  });

  test("[QU5] continue after the receipts' ids if the counter was lost", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const ids: MessageId[] = [`${a}@104`, `${b}@103.7`, `${b}@99999999999`];
    const queues = openQueues(join(testHome().config, "hivemind.queue"), { givenIds: () => ids });
    expect((await queues.append(b, "inform", "x")).message.stamp).toBe("104.2");
  });

  test.each(["99999999999.999999999", "not a stamp", ""])(
    "[QU5] a counter of %j is ignored",
    async (text) => {
      vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
      const queues = open();
      mkdirSync(queues.folder, { recursive: true });
      writeFileSync(join(queues.folder, ".last"), text);
      expect((await queues.append(a, "inform", "x")).message.stamp).toBe("100");
    },
  );

  test("[QU5] a row far in the future does not affect the other queues", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const queues = open();
    mkdirSync(queues.folder, { recursive: true });
    writeFileSync(queues.fileOf(a), "7777777|inform|from the future\n");
    expect((await queues.append(a, "inform", "x")).message.stamp).toBe("7777777.2");
    expect((await queues.append(b, "inform", "x")).message.stamp).toBe("100");
  });

  test("buried messages are kept, and the others keep their place", async () => {
    const queues = open();
    await fill(queues, a, "1", "2", "3");
    const [, second] = queues.read(a).messages;
    expect(await queues.bury([second!.id])).toEqual([second]);
    expect(texts(queues, a)).toEqual(["1", "3"]);
    expect(dead(queues)).toEqual([expect.stringMatching(/^\d+(\.\d+)?\|inform\|2\n$/)]);
  });

  test("[QU4] are drained by one process at a time, while others append", async () => {
    const queues = open();
    let draining = 0;
    const drain = () =>
      queues.whileDraining(a, async () => {
        expect(++draining).toBe(1);
        await queues.append(a, "inform", "meanwhile");
        draining--;
      });
    await Promise.all([drain(), drain(), drain()]);
    expect(texts(queues, a)).toHaveLength(3);
  });
});
