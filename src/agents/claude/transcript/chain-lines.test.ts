import fc from "fast-check";
import { expect, test } from "vitest";
import { openSimd } from "../../../transcripts/scan/simd-block.js";
import { type Chain, noChain } from "../../../transcripts/transcript.js";
import { addChain } from "./chain-lines.js";

type Json = Record<string, unknown>;

/** The same chain with every line parsed. */
function naiveChain(lines: readonly string[]) {
  const records = lines.map((line) => JSON.parse(line) as Json);
  const own = records.filter(
    ({ type, uuid }) => ["user", "assistant", "system"].includes(String(type)) && typeof uuid === "string",
  );
  const time = ({ timestamp }: Json) => (typeof timestamp === "string" ? Date.parse(timestamp) : Number.NaN);
  return {
    messages: own.map(({ uuid }) => uuid),
    timesMs: own.map(time).map((ms) => (Number.isNaN(ms) ? null : ms)),
    kinds: own.map(kindOf).join(""),
  };
}

function kindOf({ type, isMeta, message }: Json): string {
  if (type === "system") return "n";
  const { model, content } = { ...(message as Json) };
  if (isMeta === true || model === "<synthetic>") return "c";
  const [first] = Array.isArray(content) ? content : [];
  const isResult = typeof first === "object" && first !== null && first.type === "tool_result";
  return type === "user" && !isResult ? "p" : "a";
}

const decoys = [
  '"uuid":"decoy","timestamp":"2026-01-01T00:00:00.000Z"',
  '{"parentUuid":null,"isMeta":true,"uuid":"decoy","type":"system"}',
  '\\"},"uuid":"decoy","isMeta":true,"message":{"model":"<synthetic>"},"x":"\\',
  "日本語 ✳ \u2028",
];
const text = fc.oneof(fc.constantFrom(...decoys), fc.string());
const nested: fc.Arbitrary<unknown> = fc.constantFrom(
  { uuid: "nested", isMeta: true, timestamp: "2020-01-01T00:00:00Z", type: "user" },
  { model: "<synthetic>", list: [{ uuid: "deep" }, { type: "tool_result" }] },
  [{ type: "tool_result", uuid: "listed" }],
  decoys[1],
);
const content = fc.oneof(
  text,
  fc.array(fc.oneof(fc.record({ type: fc.constantFrom("text", "tool_result"), text }), text, nested), {
    maxLength: 3,
  }),
);
const time = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
  fc.constantFrom(
    "2026-02-30T00:00:00.000Z",
    "2026-01-31T24:00:00.000Z",
    "2026-13-01T00:00:00.000Z",
    "soon",
    17,
  ),
  fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-31T23:59:59.999Z", "0000-01-01T00:00:00.000Z"),
);
const record = fc
  .record(
    {
      type: fc.constantFrom("user", "assistant", "system", "attachment", "mode"),
      uuid: fc.oneof(fc.uuid(), fc.constantFrom('odd "id"', "型", 7)),
      timestamp: time,
      isMeta: fc.constantFrom(true, false, "true", null),
      message: fc.oneof(
        fc.record({ model: fc.constantFrom("one", "<synthetic>"), content }, { requiredKeys: [] }),
        nested,
      ),
      toolUseResult: fc.oneof(nested, text),
      parentUuid: fc.constantFrom(null, "before"),
      cwd: fc.constantFrom("/a", "/b]{"),
    },
    { requiredKeys: ["type"] },
  )
  .chain((json) => fc.shuffledSubarray(Object.entries(json), { minLength: Object.keys(json).length }))
  .chain((members) => fc.constantFrom(0, 0, 1).map((indent) => ({ members, indent })))
  .map(({ members, indent }) =>
    JSON.stringify(Object.fromEntries(members), null, indent).replaceAll("\n", " "),
  );

const { block } = openSimd(new URL("../../../../dist/scan.wasm", import.meta.url))!;

/** The chain of the same bytes by JavaScript, and by the functions of simd/. */
function bothChains(bytes: Buffer): [Chain, Chain] {
  bytes.copy(block);
  const [elsewhere, inBlock] = [noChain(), noChain()];
  addChain(elsewhere, bytes, 0, bytes.length);
  addChain(inBlock, block.subarray(0, bytes.length), 0, bytes.length);
  return [elsewhere, inBlock];
}

test("the messages of any records are those that a parser finds", () => {
  const property = fc.property(fc.array(record, { maxLength: 6 }), (lines) => {
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(""));
    const naive = naiveChain(lines);
    expect(bothChains(bytes)).toEqual([naive, naive]);
  });
  fc.assert(property, { numRuns: 1500 });
});

test("the messages of damaged records do not depend on who scans them", () => {
  const damage = fc.constantFrom("", '"', "\\", "{", "}", ',"type":"user"', ',"type":"system","uuid":"x"');
  const property = fc.property(
    fc.array(record, { minLength: 1, maxLength: 4 }),
    fc.nat(),
    fc.nat(30),
    damage,
    (lines, at, lost, put) => {
      const text = lines.map((line) => `${line}\n`).join("");
      const from = at % text.length;
      const [elsewhere, inBlock] = bothChains(
        Buffer.from(text.slice(0, from) + put + text.slice(from + lost)),
      );
      expect(inBlock).toEqual(elsewhere);
    },
  );
  fc.assert(property, { numRuns: 3000 });
});

test("a record that was cut off is no message", () => {
  const whole = '{"type":"user","message":{},"uuid":"a","timestamp":"2026-01-01T00:00:00.000Z","rest":"x"}';
  const chain = noChain();
  for (let length = 1; length < whole.length; length++) {
    const bytes = Buffer.from(`${whole.slice(0, length)}\n`);
    addChain(chain, bytes, 0, bytes.length);
  }
  expect(chain.messages).toEqual([]);
});
