import { expect, test } from "vitest";
import { readGiven, schemaOf, type ToolArgument } from "./arguments.js";

const args: ToolArgument[] = [
  { name: "agent", about: "the agent" },
  { name: "until", about: "what", isOptional: true, choices: ["idle", "waiting"] },
  { name: "timeout", about: "how long", isOptional: true, is: "seconds", most: 60 },
  { name: "fleet", about: "all hosts", isOptional: true, is: "flag" },
];

test("the schema has each argument, and nothing else is allowed", () => {
  expect(schemaOf(args)).toEqual({
    type: "object",
    properties: {
      agent: { type: "string", description: "the agent" },
      until: { type: "string", description: "what", enum: ["idle", "waiting"] },
      timeout: { type: "number", minimum: 0, maximum: 60, description: "how long" },
      fleet: { type: "boolean", description: "all hosts" },
    },
    required: ["agent"],
    additionalProperties: false,
  });
});

test.each([
  [{ agent: "dev" }],
  [{ agent: "dev", until: "idle", timeout: 0 }],
  [{ agent: "dev", timeout: 60 }],
  [{ agent: "dev", fleet: true }],
])("%j is taken as it is", (given) => {
  expect(readGiven("wait_for", args, given)).toEqual(given);
});

test.each<[unknown, RegExp]>([
  [undefined, /agent of wait_for is missing/],
  [null, /are not an object/],
  [["dev"], /are not an object/],
  ["dev", /are not an object/],
  [{ agent: 7 }, /agent of wait_for is not text/],
  [{ agent: "dev", until: "done" }, /until of wait_for is one of idle, waiting/],
  [{ agent: "dev", timeout: 61 }, /at most 60/],
  [{ agent: "dev", timeout: -1 }, /at most 60/],
  [{ agent: "dev", timeout: Number.NaN }, /at most 60/],
  [{ agent: "dev", timeout: "5" }, /number of seconds/],
  [{ agent: "dev", fleet: "yes" }, /fleet of wait_for is true or false/],
  [{ agent: "dev", from: "lead" }, /wait_for has no argument "from"/],
])("%j is refused", (given, words) => {
  expect(() => readGiven("wait_for", args, given)).toThrow(words);
});

test("a tool without arguments takes none", () => {
  expect(readGiven("who_am_i", [], undefined)).toEqual({});
  expect(() => readGiven("who_am_i", [], { agent: "dev" })).toThrow(/has no argument "agent"/);
});
