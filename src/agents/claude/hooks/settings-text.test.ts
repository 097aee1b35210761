import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hookEvents, launchSettings } from "./handler.js";
import { hasHooks, withHooks, withoutHooks } from "./settings-text.js";

const folder = "/home/o'hara/my config/hooks";
const { hooks: ours } = launchSettings(folder);
const add = (text: string | null) => withHooks(text, folder, null);

const samples = [
  "{}",
  "{}\n",
  "{ }",
  "{\n}\n",
  "{\n\n}",
  '{"a":1}',
  '{"a": 1, "hooks": {}}\n',
  '{"hooks":{"Stop":[]}}',
  '{\n  "model": "opus",\n  "hooks": {}\n}\n',
  '{\n  "hooks": { }\n}\n',
  '{\n  "hooks": {\n  }\n}\n',
  '{\n  "hooks": {\n    "Stop": [ ]\n  },\n  "z": [1,\n2]\n}',
  '{\r\n\t"a": true,\r\n\t"hooks": {\r\n\t\t"Stop": [\r\n\t\t\t{ "hooks": [{ "type": "command", "command": "x" }] }\r\n\t\t]\r\n\t}\r\n}\r\n',
  '\u{feff}{\n    "a": "é"\n}',
  '{ // mine\n  "a": 1, // one\n  /* two */ "b": [2,], // three\n}\n// end\n',
  "{ /* none yet */ }",
  '{\n  "hooks": { // none yet\n  }\n}',
  '{"ho\\u006fks":{"Stop":[{"hooks":[]}]}}',
];

describe("settings with our hooks", () => {
  test.each(samples)("%j is restored byte for byte", (text) => {
    const installed = add(text);
    expect(hasHooks(installed)).toBe(true);
    expect(hasHooks(text)).toBe(false);
    expect(withoutHooks(installed, text)).toBe(text);
  });

  test("a file that did not exist is removed again", () => {
    expect(JSON.parse(add(null))).toEqual({ hooks: ours });
    expect(add(null).endsWith("}\n")).toBe(true);
    expect(withoutHooks(add(null), null)).toBeNull();
  });

  test("settings in any spacing keep their values and are restored byte for byte", () =>
    fc.assert(
      fc.property(
        settings,
        fc.infiniteStream(fc.constantFrom("", "", " ", "\n", "\r\n  ", "\t")),
        (value, blanks) => {
          const text = spaced(value, blanks);
          const installed = add(text);
          const { hooks, ...others } = JSON.parse(installed);
          const { hooks: before = {}, ...rest } = value as { hooks?: Record<string, unknown[]> };
          expect(others).toEqual(JSON.parse(JSON.stringify(rest)));
          const expected = Object.fromEntries(
            hookEvents.map((event) => [event, [...(before[event] ?? []), ...ours[event]]]),
          );
          expect(hooks).toEqual(JSON.parse(JSON.stringify({ ...before, ...expected })));
          expect(withoutHooks(installed, text)).toBe(text);
        },
      ),
    ));

  test("what the user changed in between stays", () => {
    const before = '{\n  "model": "opus"\n}\n';
    const edited = add(before)
      .replace('"opus"', '"sonnet"')
      .replace(/}\n$/, '  ,"theme": "dark"\n}\n')
      .replace('"Stop": [', '"Stop": [\n      { "hooks": [{ "type": "command", "command": "say done" }] },');
    const rest = withoutHooks(edited, before)!;
    expect(JSON.parse(rest)).toEqual({
      model: "sonnet",
      theme: "dark",
      hooks: { Stop: [{ hooks: [{ type: "command", command: "say done" }] }] },
    });
  });

  test("a user's entry inside our group stays, and so do comments around ours", () => {
    const mine = '{ "type": "command", "command": "say done" }';
    const installed = add('{\n  "model": "opus" // fast\n}\n')
      .replace(/("Stop": \[\s+\{\s+"hooks": \[)/, `$1 // mine first\n${mine},`)
      .replace('"SessionEnd": [', '/* at the end */ "SessionEnd": [');
    const rest = withoutHooks(installed, null)!;
    expect(rest).toContain("// fast");
    expect(rest).toContain("// mine first");
    expect(rest).toContain("/* at the end */");
    expect(JSON.parse(rest.replaceAll(/\/\/.*|\/\*.*\*\//g, ""))).toEqual({
      model: "opus",
      hooks: { Stop: [{ hooks: [JSON.parse(mine)] }] },
    });
  });

  test.each([
    ['{\n    "a": 1\n}', '\n    "hooks": {\n        "SessionStart": [\n            {'],
    ['{\n\t"a": 1\n}', '\n\t"hooks": {\n\t\t"SessionStart": [\n\t\t\t{'],
    ['{\r\n  "a": 1\r\n}', '\r\n  "hooks": {\r\n    "SessionStart": [\r\n      {'],
    ['{"a":1}', '{"a":1,"hooks":{"SessionStart":[{'],
  ])("in %j the hooks are written in the same style", (text, expected) => {
    expect(add(text)).toContain(expected);
    expect(add(text).replaceAll("\r\n", "").includes("\n")).toBe(/[^\r]\n/.test(text));
  });

  test.each(samples)("in %j the hooks are added once", (text) => {
    const once = add(text);
    expect(withHooks(once, folder, text)).toBe(once);
    const moved = withHooks(once, "/elsewhere", text);
    expect(moved).not.toContain("hara");
    expect(moved).toBe(withHooks(text, "/elsewhere", null));
    expect(withoutHooks(moved, text)).toBe(text);
  });

  test("a user's comment before our hook stays", () => {
    const text = '{"hooks":{"Stop":[{"matcher":"x"}]}}';
    const noted = add(text).replace('},{"hooks":[{"type"', '}, // theirs\n{"hooks":[{"type"');
    expect(noted).toContain("// theirs");
    expect(withoutHooks(noted, text)).toBe('{"hooks":{"Stop":[{"matcher":"x"} // theirs\n]}}');
  });

  test("our hooks stay where the user moved them", () => {
    const moved = JSON.stringify({ hooks: { ...ours, Stop: [...ours.Stop, { hooks: [] }] }, last: 1 });
    expect(add(moved)).toBe(moved);
  });

  test("a missing hook is added again", () => {
    const installed = add("{}");
    const { hooks } = JSON.parse(installed);
    delete hooks.Stop;
    expect(JSON.parse(add(JSON.stringify({ hooks })))).toEqual({ hooks: ours });
  });

  test.each([
    ["[]", "it is not an object"],
    ['"x"', "it is not an object"],
    ['{"hooks":[]}', "its hooks are not an object"],
    ['{"hooks":null}', "its hooks are not an object"],
    ['{"hooks":{"Stop":{}}}', "its hooks for Stop are not a list"],
    ['{"hooks":{"Other":"x"}}', "its hooks for Other are not a list"],
    ['{"a":1', "line 1: it ends too early"],
    ["", "line 1: it ends too early"],
  ])("%j is refused", (text, why) => {
    expect(() => add(text)).toThrow(why);
    expect(() => withoutHooks(text, null)).toThrow(why);
  });

  test("text that only looks like our hook is the user's", () => {
    const text =
      '{"note":"# hivemind","hooks":{"Stop":[{"hooks":[{"command":"echo # hivemind"},{"command":3},7]},null]}}';
    expect(hasHooks(text)).toBe(false);
    expect(withoutHooks(text, null)).toBe(text);
    expect(withoutHooks(add(text), text)).toBe(text);
  });
});

const group = fc.record({ matcher: fc.string(), hooks: fc.array(fc.jsonValue(), { maxLength: 2 }) });
const hookMap = fc.dictionary(
  fc.constantFrom(...hookEvents, "PreToolUse"),
  fc.array(group, { maxLength: 2 }),
);
const settings = fc
  .tuple(
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
    fc.option(hookMap, { nil: undefined }),
    fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 2 }),
  )
  .map(([first, hooks, last]) => {
    const { hooks: _, ...others } = { ...first, ...(hooks === undefined ? {} : { hooks: null }), ...last };
    return hooks === undefined ? others : { ...others, hooks };
  });

/** The value as text, with a piece of the stream wherever white space is allowed. */
function spaced(value: unknown, blanks: Iterable<string>): string {
  const stream = blanks[Symbol.iterator]();
  const blank = () => stream.next().value as string;
  const print = (each: unknown): string => {
    if (typeof each !== "object" || each === null) return JSON.stringify(each);
    const items = Array.isArray(each)
      ? each.map((item) => blank() + print(item) + blank())
      : Object.entries(each).map(
          ([key, item]) => `${blank()}${JSON.stringify(key)}${blank()}:${blank()}${print(item)}${blank()}`,
        );
    const inside = items.length === 0 ? blank() : items.join(",");
    return Array.isArray(each) ? `[${inside}]` : `{${inside}}`;
  };
  return blank() + print(value) + blank();
}
