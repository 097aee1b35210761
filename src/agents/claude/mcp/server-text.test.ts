import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { serverEntry } from "./server-entry.js";
import { serverAddition } from "./server-text.js";

const entry = serverEntry(["/usr/bin/node", "/opt/hivemind/main.cjs"]);
const { isIn, added, removed } = serverAddition(entry);
const older = serverAddition(serverEntry(["/usr/bin/node", "/old/main.cjs"]));

describe.each([
  ["an empty object", "{}"],
  ["an empty object over two lines", "{\n}\n"],
  ["no servers", '{\n  "other": 1\n}\n'],
  ["an empty list of servers", '{ "mcpServers": { } }\n'],
  ["another server", '{\n\t"mcpServers": {\n\t\t"db": { "command": "db" }\n\t}\n}'],
  ["Windows line ends", '{\r\n  "mcpServers": {\r\n    "db": {}\r\n  }\r\n}\r\n'],
  ["one line", '{"mcpServers":{"db":{"command":"db","args":[]}},"x":[1,2]}'],
  ["comments", '{\n  // ours\n  "mcpServers": {\n    "db": {} // theirs\n  }\n}\n'],
])("a file with %s", (_, before) => {
  it("gets the server, keeps every value, and comes back byte for byte", () => {
    const text = added(before, null);
    expect(isIn(text)).toBe(true);
    const plain = (json: string) => JSON.parse(json.replaceAll(/ *\/\/.*/g, ""));
    const { mcpServers, ...rest } = plain(text);
    const { mcpServers: theirs = {}, ...others } = plain(before);
    expect(rest).toEqual(others);
    expect(mcpServers).toEqual({ ...theirs, hivemind: entry });
    expect(added(text, before)).toBe(text);
    expect(removed(text, before)).toBe(before);
    expect(removed(added(older.added(before, null), before), before)).toBe(before);
  });
});

it("a file that did not exist is gone again, and one with something new in it stays", () => {
  const text = added(null, null);
  expect(JSON.parse(text)).toEqual({ mcpServers: { hivemind: entry } });
  expect(removed(text, null)).toBeNull();
  const grown = text.replace('"mcpServers": {', '"mcpServers": {\n    "db": {},');
  expect(JSON.parse(removed(grown, null)!)).toEqual({ mcpServers: { db: {} } });
});

it("another server of the same name is refused and stays", () => {
  for (const theirs of ['{"command":"x"}', '{"command":"x","args":["serve","--mcp"]}', "7", "null"]) {
    const text = `{"mcpServers":{"hivemind":${theirs}}}`;
    expect(isIn(text)).toBe(false);
    expect(() => added(text, null)).toThrow(/another server named hivemind/);
    expect(removed(text, null)).toBe(text);
  }
});

test.each(["", "[]", "{", '{"mcpServers":[]}', '{"mcpServers":7}', "null"])("%j is refused", (text) => {
  expect(() => added(text, null)).toThrow();
});

test("any object comes back byte for byte", () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }));
  const indents = fc.constantFrom(undefined, 1, 2, 4, "\t");
  const servers = fc.option(fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 1 })));
  fc.assert(
    fc.property(objects, servers, indents, (object, own, indent) => {
      const before = JSON.stringify(
        { ...object, ...(own === null ? {} : { mcpServers: own }) },
        null,
        indent,
      );
      expect(removed(added(before, null), before)).toBe(before);
    }),
  );
});
