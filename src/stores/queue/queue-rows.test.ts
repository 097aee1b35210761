import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { agents, panes } from "../../../test/stores/samples.js";
import { limits } from "../../limits.js";
import {
  addMessage,
  agentOfQueueFile,
  checkText,
  escapeText,
  formatQueue,
  isExpired,
  isMessageId,
  mergeQueue,
  messageId,
  messageParts,
  paneOfQueueFile,
  paneQueueName,
  parseQueue,
  queueFileName,
  removeMessages,
  type Stamp,
  unescapeText,
} from "./queue-rows.js";

const parse = (text: string) => parseQueue("/q", Buffer.from(text));
const stamps = (text: string) => parse(text).rows.map(({ stamp }) => stamp);
const reread = (queue: ReturnType<typeof parse>) => parse(formatQueue(queue).toString());

describe("the file of a queue", () => {
  test("[QR1] converts to its agent and back; so do a pane and its name", () => {
    fc.assert(fc.property(agents, (agent) => agentOfQueueFile(queueFileName(agent)) === agent));
    fc.assert(fc.property(panes, (pane) => paneOfQueueFile(paneQueueName(pane)) === pane));
  });

  test("[QR1] of an agent never equals the name of a pane", () => {
    fc.assert(fc.property(agents, (agent) => paneOfQueueFile(queueFileName(agent)) === null));
    fc.assert(fc.property(panes, (pane) => agentOfQueueFile(paneQueueName(pane)) === null));
  });

  test.each([
    ["web4team:0.1", "web4team_0_1.queue"],
    ["a_1:0.2", "a_1_0_2.queue"],
    ["a_1_2:3.4", "a_1_2_3_4.queue"],
  ] as const)("[QR1] %s ↔ %s", (pane, name) => {
    expect(paneQueueName(pane)).toBe(name);
    expect(paneOfQueueFile(name)).toBe(pane);
  });

  test.each(["x.queue", "_0_1.txt", "a_00_1.queue", "-a_0_1.queue", "../a_0_1.queue", "a_0_1.queue.lock"])(
    "[QR1] %s is not one",
    (name) => expect(paneOfQueueFile(name)).toBeNull(),
  );
});

describe("a message", () => {
  test("[QR2] keeps its text", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => unescapeText(escapeText(text)) === text));
    fc.assert(
      fc.property(fc.stringMatching(/^[a|\\n\n\t ✳é"'$-]{1,30}$/), (text) => {
        fc.pre(text.trim() !== "");
        expect(reread(addMessage(parse(""), "inform", text, 5)).rows).toEqual([
          { stamp: "5", intent: "inform", text },
        ]);
      }),
    );
  });

  test("[QR2] keeps the text that another writer did not escape", () =>
    expect(parse("5|inform|C:\\dir|x\n").rows[0]?.text).toBe("C:\\dir|x"));

  test("[QR3] has its own id within a second", () => {
    const three = ["a", "b", "c"].reduce((queue, text) => addMessage(queue, "inform", text, 7), parse(""));
    expect(three.rows.map(({ stamp }) => stamp)).toEqual(["7", "7.2", "7.3"]);
    expect(formatQueue(three).toString()).toBe("7|inform|a\n7.2|inform|b\n7.3|inform|c\n");
  });

  test.each([
    [7, "7", "7.2"],
    [3, "7", "7.2"],
    [8, "7", "8"],
    [8, null, "8"],
  ])("[QR3] of second %i has an id after the last one, %s: %s", (now, last, expected) => {
    const queue = addMessage(parse(""), "inform", "b", now, last as Stamp | null);
    expect(queue.rows[0]?.stamp).toBe(expected);
  });

  test("[QR3] has its own id even if another writer used one second twice", () => {
    expect(stamps("7|inform|a\n7|inform|b\n6|inform|c\n")).toEqual(["7", "7.2", "7.3"]);
    const left = removeMessages(parse("7|inform|a\n7|inform|b\n"), new Set(["7" as Stamp]));
    expect(reread(left).rows).toEqual([{ stamp: "7.2", intent: "inform", text: "b" }]);
  });

  const arrives = (
    queue: string,
    found: string,
    taken: readonly string[] = [],
    over: readonly string[] = [],
  ) =>
    mergeQueue(parse(queue), parse(found), {
      isTaken: (stamp) => taken.includes(stamp),
      isOver: ({ text }) => over.includes(text),
    });

  test.each<[string, string, string, string[], string]>([
    ["later ones go after", "8|inform|x\n", "9|inform|y\n", [], "8|inform|x\n9|inform|y\n"],
    ["earlier ones go before", "8|inform|x\n", "7|inform|y\n", [], "7|inform|y\n8|inform|x\n"],
    [
      "a stamp of another message becomes the next free one, and the other keeps its own",
      "7|inform|x\n7.2|inform|y\n9|inform|z\n",
      "7|inform|new\n",
      [],
      "7|inform|x\n7.2|inform|y\n7.3|inform|new\n9|inform|z\n",
    ],
    ["a queued message is not queued twice", "7.2|inform|x\n", "7|inform|x\n", [], "7.2|inform|x\n"],
    [
      "a message that left the queue does not come back",
      "",
      "7|inform|x\n8|inform|y\n",
      ["7"],
      "8|inform|y\n",
    ],
    [
      "notes and bad rows are merged once, and the marks of earlier versions are not",
      "# a\n7|inform|x\n",
      "# a\n# b\nrubbish\n\n# last 5\n8|inform|y\n",
      [],
      "# a\n7|inform|x\n8|inform|y\n# b\nrubbish\n",
    ],
  ])("[QR7] of another file: %s", (_, text, found, taken, expected) => {
    const merged = arrives(text, found, taken);
    expect(formatQueue(merged).toString()).toBe(expected);
    expect(reread(merged).rows).toEqual(merged.rows);
    expect(formatQueue(arrives(expected, found, taken)).toString()).toBe(expected);
  });

  test("[QR7] of another file that is finished is not queued", () => {
    expect(arrives("", "7|inform|done\n7|inform|new\n", [], ["done"]).rows).toEqual([
      { stamp: "7.2", intent: "inform", text: "new" },
    ]);
  });

  test("[QR7] of another file is queued once, and no message of the queue gets another id", () => {
    const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom("a", "b", "c")));
    const text = (pairs: readonly [number, string][]) =>
      pairs.map(([second, word]) => `${second}|inform|${word}\n`).join("");
    fc.assert(
      fc.property(rows, rows, fc.subarray(["1", "2", "3.2"]), (own, other, taken) => {
        const before = parse(text(own));
        const found = parse(text(other));
        const free = taken.filter((stamp) => !before.rows.some((row) => row.stamp === stamp));
        const once = arrives(text(own), text(other), free);
        const ids = (queue: typeof once) => queue.rows.map((row) => `${row.stamp}|${row.text}`);
        expect(ids(once)).toEqual(expect.arrayContaining(ids(before)));
        expect(ids(reread(once))).toEqual(ids(once));
        expect(once.rows.filter(({ stamp }) => free.includes(stamp))).toEqual([]);
        for (const row of found.rows)
          if (!free.includes(row.stamp))
            expect(once.rows.some((each) => each.text === row.text && same(each.stamp, row.stamp))).toBe(
              true,
            );
        expect(ids(arrives(formatQueue(once).toString(), text(other), free))).toEqual(ids(once));
      }),
    );
  });
  const same = (a: string, b: string) => a.split(".")[0] === b.split(".")[0];

  test.each([
    ["a full second", "7.999999999|inform|a\n7|inform|b\n", ["7.999999999", "8"], "8.2"],
    ["a time of nines", "999999999999.999999999|inform|a\n7|inform|b\n", ["7"], "7.2"],
    [
      "the last possible time",
      "99999999999.999999999|inform|a\n7|inform|b\n",
      ["99999999999.999999999"],
      null,
    ],
  ])("[QR6] %s is not a failure", (_, text, read, next) => {
    const queue = parse(text);
    expect(queue.rows.map(({ stamp }) => stamp)).toEqual(read);
    expect(queue.problems).toHaveLength(text.startsWith("9") ? 1 : 0);
    if (next === null) expect(() => addMessage(queue, "inform", "new", 7)).toThrow(/refused/);
    else expect(addMessage(queue, "inform", "new", 7).rows.at(-1)?.stamp).toBe(next);
    expect(formatQueue(queue).toString()).toContain(text.split("\n")[0]);
  });

  test("[QR4] leaves foreign lines", () => {
    const foreign = "# note\nrubbish\n\n5|shout|x\n";
    const queue = addMessage(parse(`${foreign}7|inform|a\n8|inform|b\r\n`), "inform", "c", 9);
    expect(formatQueue(removeMessages(queue, new Set(["7" as Stamp]))).toString()).toBe(
      `${foreign}8|inform|b\r\n9|inform|c\n`,
    );
    expect(queue.problems.map(({ line }) => line)).toEqual([2, 4]);
  });

  test.each([
    ["", /empty/],
    [" \n\t", /empty/],
    ["a\u001b[201~b", /control/],
    ["a\rb", /control/],
    ["a\0b", /control/],
    ["a\u009bb", /control/],
    ["a\ud800b", /surrogate/],
    ["x".repeat(limits.messageBytes + 1), /bytes/],
  ])("[QR5] %j is refused (incident 35)", (text, why) => expect(() => checkText(text)).toThrow(why));

  test.each(["remote-control:a|b", "remote-control:", "shout", "inform\n"])(
    "with intent %j is refused",
    (intent) => expect(() => addMessage(parse(""), intent as "inform", "x", 7)).toThrow(/^refused/),
  );

  test("is found by its id", () => {
    fc.assert(
      fc.property(agents, fc.constantFrom("7", "7.2") as fc.Arbitrary<Stamp>, (agent, stamp) => {
        expect(isMessageId(messageId(agent, stamp))).toBe(true);
        expect(messageParts(messageId(agent, stamp))).toEqual({ agent, stamp });
      }),
    );
    expect(["a:0.1", "a:0.1@", "a:0.1@7.0", "a:0.1@x", "@7", "abc@7"].filter(isMessageId)).toEqual([]);
    // As earlier versions wrote it.
    expect(messageParts("a:0.1@7")).toEqual({ agent: null, stamp: "7" });
  });

  test.each([
    [0, false],
    [limits.queueAgeSeconds, false],
    [limits.queueAgeSeconds + 1, true],
  ])("that is %i s old is expired: %s", (age, expected) =>
    expect(isExpired("1000.2" as Stamp, 1000 + age)).toBe(expected),
  );

  test("does not expire by time that its agent was away", () => {
    const back = 1000 + 10 * limits.queueAgeSeconds;
    expect(isExpired("1000" as Stamp, back + limits.queueAgeSeconds, back)).toBe(false);
    expect(isExpired("1000" as Stamp, back + limits.queueAgeSeconds + 1, back)).toBe(true);
  });
});
