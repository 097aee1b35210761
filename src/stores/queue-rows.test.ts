import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { panes } from "../../test/stores/samples.js";
import { limits } from "../limits.js";
import {
  addMessage,
  checkText,
  escapeText,
  formatQueue,
  isExpired,
  isMessageId,
  messageId,
  messageParts,
  paneOfQueueFile,
  parseQueue,
  queueFileName,
  removeMessages,
  type Stamp,
  takeIn,
  unescapeText,
} from "./queue-rows.js";

const parse = (text: string) => parseQueue("/q", Buffer.from(text));
const stamps = (text: string) => parse(text).rows.map(({ stamp }) => stamp);
const reread = (queue: ReturnType<typeof parse>) => parse(formatQueue(queue).toString());

describe("the file of a queue", () => {
  test("[QR1] names its pane, and the pane it", () => {
    fc.assert(fc.property(panes, (pane) => paneOfQueueFile(queueFileName(pane)) === pane));
  });

  test.each([
    ["web4team:0.1", "web4team_0_1.queue"],
    ["a_1:0.2", "a_1_0_2.queue"],
    ["a_1_2:3.4", "a_1_2_3_4.queue"],
  ] as const)("[QR1] %s ↔ %s", (pane, name) => {
    expect(queueFileName(pane)).toBe(name);
    expect(paneOfQueueFile(name)).toBe(pane);
  });

  test.each(["x.queue", "_0_1.txt", "a_00_1.queue", "-a_0_1.queue", "../a_0_1.queue", "a_0_1.queue.lock"])(
    "[QR1] %s is none",
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

  test("[QR3] has an id of its own within a second", () => {
    const three = ["a", "b", "c"].reduce((queue, text) => addMessage(queue, "inform", text, 7), parse(""));
    expect(three.rows.map(({ stamp }) => stamp)).toEqual(["7", "7.2", "7.3"]);
    expect(formatQueue(three).toString()).toBe("7|inform|a\n7.2|inform|b\n7.3|inform|c\n");
  });

  test("[QR3] has an id that nobody had, although all before it have left", () => {
    const one = addMessage(parse(""), "inform", "a", 7);
    const none = reread(removeMessages(one, new Set(["7" as Stamp])));
    expect(none.rows).toEqual([]);
    expect(addMessage(none, "inform", "b", 7).rows[0]?.stamp).toBe("7.2");
    expect(addMessage(none, "inform", "b", 3).rows[0]?.stamp).toBe("7.2");
    expect(formatQueue(addMessage(none, "inform", "b", 8)).toString()).toBe("8|inform|b\n");
  });

  test("[QR3] has an id of its own although another writer gave one second to two", () => {
    expect(stamps("7|inform|a\n7|inform|b\n6|inform|c\n")).toEqual(["7", "7.2", "7.3"]);
    const left = removeMessages(parse("7|inform|a\n7|inform|b\n"), new Set(["7" as Stamp]));
    expect(reread(left).rows).toEqual([{ stamp: "7.2", intent: "inform", text: "b" }]);
  });

  test.each([
    ["later ones go behind", "8|inform|x\n", ["9"], "8|inform|x\n9|inform|new 9\n"],
    [
      "what may have been given here gets a new id",
      "# last 8\n",
      ["7", "9"],
      "8.2|inform|new 7\n9|inform|new 9\n",
    ],
    [
      "earlier ones go before what is later, which then needs a later id",
      "5|inform|x\n# note\n8|inform|y\n",
      ["7", "6"],
      "5|inform|x\n# note\n8.2|inform|new 6\n8.3|inform|new 7\n8.4|inform|y\n",
    ],
    ["into nothing they go as they are", "", ["7.2", "7"], "7|inform|new 7\n7.2|inform|new 7.2\n"],
  ])("[QR3] that comes from another queue: %s", (_, text, arrivals, expected) => {
    const rows = arrivals.map((stamp) => ({
      stamp: stamp as Stamp,
      intent: "inform" as const,
      text: `new ${stamp}`,
    }));
    const { queue, stamps } = takeIn(parse(text), rows);
    expect(formatQueue(queue).toString()).toBe(expected);
    expect(reread(queue).rows).toEqual(queue.rows);
    expect([...stamps.values()]).toEqual(queue.rows.map(({ stamp }) => stamp));
  });

  test.each([
    ["a full second", "7.999999999|inform|a\n7|inform|b\n", ["7.999999999", "8"], "8.2"],
    ["the mark of a full second", "# last 7.999999999\n", [], "8"],
    ["a time of nines", "999999999999.999999999|inform|a\n7|inform|b\n", ["7"], "7.2"],
    ["a mark of nines", "# last 999999999999.999999999\n", [], "7"],
    ["the end of all times", "99999999999.999999999|inform|a\n7|inform|b\n", ["99999999999.999999999"], null],
  ])("[QR6] %s is no reason to fail", (_, text, read, next) => {
    const queue = parse(text);
    expect(queue.rows.map(({ stamp }) => stamp)).toEqual(read);
    expect(queue.problems).toHaveLength(text.startsWith("9") ? 1 : 0);
    if (next === null) expect(() => addMessage(queue, "inform", "new", 7)).toThrow(/refused/);
    else expect(addMessage(queue, "inform", "new", 7).rows.at(-1)?.stamp).toBe(next);
    expect(formatQueue(queue).toString()).toContain(text.split("\n")[0]);
  });

  test("[QR4] leaves what others wrote", () => {
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
      fc.property(panes, fc.constantFrom("7", "7.2") as fc.Arbitrary<Stamp>, (pane, stamp) => {
        expect(isMessageId(messageId(pane, stamp))).toBe(true);
        expect(messageParts(messageId(pane, stamp))).toEqual({ pane, stamp });
      }),
    );
    expect(["a:0.1", "a:0.1@", "a:0.1@7.0", "a:0.1@x", "@7"].filter(isMessageId)).toEqual([]);
  });

  test.each([
    [0, false],
    [limits.queueAgeSeconds, false],
    [limits.queueAgeSeconds + 1, true],
  ])("that is %i s old is expired: %s", (age, expected) =>
    expect(isExpired("1000.2" as Stamp, 1000 + age)).toBe(expected),
  );
});
