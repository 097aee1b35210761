import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { testHome } from "../../test/home.js";
import { limits } from "../limits.js";
import type { PaneAddress } from "../names/gates.js";
import { homesOf } from "./queue-homes.js";
import type { MessageId } from "./queue-rows.js";
import { openQueues, type Queues } from "./queues.js";
import type { Moves } from "./rekey.js";

const [a, b, c]: [PaneAddress, PaneAddress, PaneAddress] = ["t:0.0", "t:0.1", "t:0.2"];
const open = () => openQueues(join(testHome().config, "hivemind.queue"));
const texts = (queues: Queues, pane: PaneAddress) => queues.read(pane).messages.map(({ text }) => text);
const files = (queues: Queues) =>
  readdirSync(queues.folder)
    .filter((name) => name !== ".last")
    .sort();
const dead = (queues: Queues) => {
  const folder = join(queues.folder, "dead");
  return readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
};

const rekey = (queues: Queues, moves: Moves) =>
  queues.rearrange((waiting) =>
    homesOf(waiting, new Map(), { server: null, panes: [], kept: new Map() }, moves),
  );

async function fill(queues: Queues, pane: PaneAddress, ...messages: string[]) {
  for (const text of messages) await queues.append(pane, "inform", text);
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

  test("say the position, and remove by id only once (incident 42)", async () => {
    const queues = open();
    await fill(queues, a, "1");
    const { message, position } = await queues.append(a, "remote-control:Enter", "2");
    expect([message.text, message.intent, position]).toEqual(["2", "remote-control:Enter", 2]);
    expect(await queues.remove([message.id])).toHaveLength(1);
    expect(await queues.remove([message.id])).toEqual([]);
    expect(texts(queues, a)).toEqual(["1"]);
  });

  test("[QU2] that a killed writer was changing are read as changed, and finished by the next writer", async () => {
    const queues = open();
    await fill(queues, a, "for a");
    await fill(queues, b, "for b");
    const paths = [queues.fileOf(a), queues.fileOf(b)];
    const [forA, forB] = paths.map((path) => readFileSync(path).toString("base64"));
    // Killed after the first of two files of a swap was in place.
    writeFileSync(
      join(queues.folder, ".commit"),
      JSON.stringify([
        ["t_0_0.queue", forB],
        ["t_0_1.queue", forA],
      ]),
    );
    writeFileSync(paths[0]!, Buffer.from(forB!, "base64"));
    expect([texts(queues, a), texts(queues, b)]).toEqual([["for b"], ["for a"]]);
    await fill(queues, c, "x");
    expect(files(queues)).toEqual(["t_0_0.queue", "t_0_1.queue", "t_0_2.queue"]);
    expect([texts(queues, a), texts(queues, b)]).toEqual([["for b"], ["for a"]]);
  });

  test("[QU7] that a killed writer was changing can be finished without a change", async () => {
    const queues = open();
    await fill(queues, a, "for a");
    const bytes = readFileSync(queues.fileOf(a)).toString("base64");
    rmSync(queues.fileOf(a));
    const changes = [
      ["t_0_0.queue", null],
      ["t_0_1.queue", bytes],
    ];
    writeFileSync(join(queues.folder, ".commit"), JSON.stringify(changes));
    await queues.finish();
    expect(files(queues)).toEqual(["t_0_1.queue"]);
    await queues.finish();
    expect(texts(queues, b)).toEqual(["for a"]);
  });

  test("[QU3] follow their panes through a swap (incident 45)", async () => {
    const queues = open();
    await fill(queues, a, "for a", "for a too");
    await fill(queues, b, "for b");
    const before = [...queues.read(a).messages, ...queues.read(b).messages];
    const { moved } = await rekey(
      queues,
      new Map([
        [a, b],
        [b, a],
      ]),
    );
    expect([texts(queues, a), texts(queues, b)]).toEqual([["for b"], ["for a", "for a too"]]);
    const after = [...queues.read(b).messages, ...queues.read(a).messages];
    const renamed = new Map(moved.map(({ from, to }) => [from, to]));
    expect(before.map(({ id }) => renamed.get(id))).toEqual(after.map(({ id }) => id));
    expect(after.some(({ id }) => before.some((old) => old.id === id))).toBe(false);
  });

  test("[QU3] of a pane whose place is taken are kept as dead, not given to the other", async () => {
    const queues = open();
    await fill(queues, a, "for a");
    await fill(queues, b, "for one that is gone");
    const { buried } = await rekey(queues, new Map([[a, b]]));
    expect(buried.map(({ text }) => text)).toEqual(["for one that is gone"]);
    expect([texts(queues, a), texts(queues, b)]).toEqual([[], ["for a"]]);
    expect(dead(queues)).toEqual([expect.stringMatching(/^\d+(\.\d+)?\|inform\|for one that is gone\n$/)]);
  });

  test("[QU3] that are cleared are kept as dead, each time in a file of its own", async () => {
    const queues = open();
    for (const text of ["1", "2"]) {
      await fill(queues, a, text);
      expect((await queues.clear(a)).map((message) => message.text)).toEqual([text]);
    }
    expect(await queues.clear(a)).toEqual([]);
    expect(texts(queues, a)).toEqual([]);
    expect(dead(queues)).toHaveLength(2);
  });

  test(`[QU4] take ${limits.queueRows} messages and refuse the next`, async () => {
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

  test("list their panes, and lose the files in which nothing is", async () => {
    const queues = open();
    mkdirSync(queues.folder, { recursive: true });
    for (const name of ["other.txt", "t_0_1.queue"]) writeFileSync(join(queues.folder, name), "");
    writeFileSync(queues.fileOf(c), "# last 5\n");
    await fill(queues, a, "1");
    expect(queues.panes()).toEqual([a, b, c]);
    expect(await queues.discardEmpty()).toEqual([b, c]);
    expect(files(queues)).toEqual(["other.txt", "t_0_0.queue"]);
  });

  test.each([
    [
      "move",
      (queues: Queues) => rekey(queues, new Map([[a, b]])),
      (queues: Queues) => texts(queues, b).join(),
    ],
    ["are cleared", (queues: Queues) => queues.clear(a), (queues: Queues) => dead(queues).join()],
  ])("[QU5] never %s while somebody drains them", async (_, change, left) => {
    const queues = open();
    await fill(queues, a, "1");
    let isDrained = false;
    const changed = await queues.whileDraining(a, async () => {
      const [message] = queues.read(a).messages;
      const changing = change(queues).then(() => isDrained);
      await fill(queues, a, "2");
      expect(await queues.remove([message!.id])).toHaveLength(1);
      isDrained = true;
      return { changing };
    });
    expect(await changed.changing).toBe(true);
    expect(left(queues)).toMatch(/2\n?$/);
  });

  test("[QU6] tell a message's new id before it has it", async () => {
    const folder = join(testHome().config, "hivemind.queue");
    const told: unknown[] = [];
    const queues: Queues = openQueues(folder, {
      beforeMoving: async (moved) => {
        told.push(moved, texts(queues, b));
      },
    });
    await fill(queues, a, "1");
    const { moved } = await rekey(queues, new Map([[a, b]]));
    expect(told).toEqual([moved, []]);
    expect(texts(queues, b)).toEqual(["1"]);
  });

  test("[QU8] share one count: a later message has a later stamp, in whichever queue", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const queues = open();
    const stamps: string[] = [];
    const append = async (pane: PaneAddress) =>
      stamps.push((await queues.append(pane, "inform", "x")).message.stamp);
    for (const pane of [a, b, a]) await append(pane);
    vi.setSystemTime(101_000);
    await append(b);
    // Set back: ids go on behind the last one, also in a queue that forgot all it had.
    vi.setSystemTime(95_000);
    await queues.remove(queues.ids());
    await queues.discardEmpty();
    for (const pane of [a, b]) await append(pane);
    vi.setSystemTime(102_000);
    await append(a);
    expect(stamps).toEqual(["100", "100.2", "100.3", "101", "101.2", "101.3", "102"]);
  });

  test("[QU8] go on behind what receipts know, where the count was lost", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const ids: MessageId[] = [`${a}@104`, `${b}@103.7`, `${b}@99999999999`];
    const queues = openQueues(join(testHome().config, "hivemind.queue"), { givenIds: () => ids });
    expect((await queues.append(b, "inform", "x")).message.stamp).toBe("104.2");
  });

  test.each(["99999999999.999999999", "not a stamp", ""])("[QU8] a count of %j is none", async (text) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const queues = open();
    mkdirSync(queues.folder, { recursive: true });
    writeFileSync(join(queues.folder, ".last"), text);
    expect((await queues.append(a, "inform", "x")).message.stamp).toBe("100");
  });

  test("[QU8] a row of a far future takes no other queue along", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 100_000 });
    const queues = open();
    mkdirSync(queues.folder, { recursive: true });
    writeFileSync(queues.fileOf(a), "7777777|inform|from the future\n");
    expect((await queues.append(a, "inform", "x")).message.stamp).toBe("7777777.2");
    expect((await queues.append(b, "inform", "x")).message.stamp).toBe("100");
  });

  test("what is buried is kept, and what stays keeps its place", async () => {
    const queues = open();
    await fill(queues, a, "1", "2", "3");
    const [, second] = queues.read(a).messages;
    expect(await queues.bury([second!.id])).toEqual([second]);
    expect(texts(queues, a)).toEqual(["1", "3"]);
    expect(dead(queues)).toEqual([expect.stringMatching(/^\d+(\.\d+)?\|inform\|2\n$/)]);
  });

  test("[QU5] are drained by one at a time, while others append", async () => {
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
