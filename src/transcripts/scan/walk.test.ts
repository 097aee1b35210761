import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openWalk } from "./walk.js";

type Json = Record<string, unknown>;

const walked = openWalk({ uuid: null, isMeta: null, message: { model: null, content: [{ type: null }] } });
const names = ["uuid", "isMeta", "message", "model", "content", "first type"];

/** The text of every value that was found; null if the line needs a parser. */
function found(line: string, { walk, starts, ends } = walked): Record<string, string> | null {
  // Lines begin anywhere in a block, and blocks anywhere in memory.
  const bytes = Buffer.from(`###{"uuid":"before"}\n${line}\n{"uuid":"after"}`).subarray(
    Buffer.byteLength(line) % 4,
  );
  const from = bytes.indexOf("\n") + 1;
  if (walk(bytes, from, from + Buffer.byteLength(line)) < 0) return null;
  const places = names.filter((_, at) => starts[at]! >= 0);
  return Object.fromEntries(
    places.map((name) => {
      const at = names.indexOf(name);
      return [name, bytes.toString("utf8", starts[at], ends[at])];
    }),
  );
}

/** The same by a parser. */
function parsed(json: Json): Record<string, unknown> {
  const object = (value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
  const { uuid, isMeta, message } = json;
  const { model, content } = object(message);
  const { type } = object(Array.isArray(content) ? content[0] : null);
  const values = { uuid, isMeta, message, model, content, "first type": type };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

const key = fc.constantFrom(
  "uuid",
  "isMeta",
  "message",
  "model",
  "content",
  "type",
  'x"uuid',
  "\\",
  "型",
  "",
);
const text = fc.oneof(
  fc.constantFrom(
    '"uuid":"decoy"',
    '{"uuid":"decoy"}',
    '\\"',
    "\\",
    '"',
    "},",
    '],"isMeta":true',
    "日本語 ✳",
  ),
  fc.string({ unit: "binary" }),
  fc.string({ minLength: 30, maxLength: 90 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));
const object = fc
  .uniqueArray(fc.tuple(key, value), { selector: ([name]) => name, maxLength: 7 })
  .map((members): Json => Object.fromEntries(members));
const line = fc
  .tuple(object, fc.constantFrom(undefined, 1, "\t"))
  .map(([json, indent]) => ({ line: JSON.stringify(json, null, indent).replaceAll("\n", " ") }));

describe("a walk", () => {
  test("finds what a parser finds, or leaves the line to it", () => {
    const property = fc.property(line, ({ line }) => {
      const values = found(line);
      // A key with a quote or a backslash.
      if (values === null) expect(line).toMatch(/\\["\\][^"]*" ?:/);
      const read = Object.entries(values ?? {}).map(([name, each]) => [name, JSON.parse(each)]);
      if (values !== null) expect(Object.fromEntries(read)).toEqual(parsed(JSON.parse(line)));
    });
    fc.assert(property, { numRuns: 3000 });
  });

  test("never reads past the end of a line that is cut off", () => {
    const property = fc.property(line, fc.nat(), ({ line }, cut) => {
      const whole = Buffer.from(line);
      const part = whole.subarray(0, cut % whole.length);
      const values = found(part.toString("latin1"));
      expect(values).toBe(null);
    });
    fc.assert(property, { numRuns: 1000 });
  });

  test.each([
    ['{"uuid":"a","uuid":"b"}', { uuid: '"b"' }],
    ['{"message":{"model":"m"},"message":{}}', { message: "{}" }],
    [
      '{"message":{"content":[[{"type":1}]]}}',
      { message: '{"content":[[{"type":1}]]}', content: '[[{"type":1}]]' },
    ],
    [' { "uuid" : "a" } \r', { uuid: '"a"' }],
    ["{}", {}],
  ])("%s", (line, expected) => expect(found(line)).toEqual(expected));

  test.each([
    ["two records in one line", '{"uuid":"a","text":"cut{"uuid":"b"}'],
    ["something behind the record", '{"uuid":"a"}}'],
    ["an unclosed list", '{"uuid":"a","b":[1}'.replace("}", "")],
    ["no object", '["uuid"]'],
    ["a missing value", '{"uuid":}'],
    ["a missing comma", '{"uuid":"a" "b":1}'],
    ["bare words", '{"uuid":xyz}'],
    ["an escaped key", '{"\\u0075uid":"a"}'],
    ["nothing", ""],
  ])("leaves %s to a parser", (_, line) => expect(found(line)).toBe(null));

  test("stops at the last of the members that it needs", () => {
    const short = openWalk({ uuid: null, isMeta: null }, ["uuid"]);
    expect(found('{"isMeta":true,"uuid":"a","rest":{"cut', short)).toEqual({ isMeta: "true", uuid: '"a"' });
    expect(found('{"rest":{"uuid":"a"}}', short)).toEqual({});
  });
});
