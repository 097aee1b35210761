import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockAddition } from "./config-block.js";

const { added, removed, isIn } = blockAddition("bind-key h x\n");
const begin = "# >>> hivemind tmux: `hivemind tmux remove` removes these lines";
const block = `${begin}\nbind-key h x\n# <<< hivemind tmux`;

describe("the block in a tmux configuration", () => {
  test.each([
    [null, `${block}\n`],
    ["", `${block}\n`],
    ["a\n", `a\n${block}\n`],
    ["a", `a\n${block}`],
    ["a\r\n", `a\r\n${block}\n`],
  ])("added to %j", (before, after) => {
    expect(added(before, null)).toBe(after);
    expect(added(after, null)).toBe(after);
    expect(removed(after, before)).toBe(before);
  });

  test("any text comes back, also with lines added behind and in front", () =>
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.constantFrom("", "later", "later\n"), (text, later) => {
        const after = added(text, null);
        expect(isIn(after)).toBe(true);
        expect(removed(after, text)).toBe(text);
        if (after.endsWith("\n")) {
          expect(removed(`first\n${after}${later}`, text)).toBe(`first\n${text}${later}`);
        }
      }),
    ));

  test("another block is replaced where it is", () => {
    const old = blockAddition("old\n").added("a\n", null);
    expect(added(`${old}b\n`, null)).toBe(`a\n${block}\nb\n`);
  });

  test.each([
    [begin],
    ["# <<< hivemind tmux"],
    [`${block}\n${block}\n`],
    [`# <<< hivemind tmux\n${begin}\n`],
  ])("%j is refused", (text) => {
    expect(() => isIn(text)).toThrow("marker lines");
    expect(() => added(text, null)).toThrow("marker lines");
  });

  test("a mention of a marker inside a line is none", () => expect(isIn(`x ${begin}\n`)).toBe(false));
});
