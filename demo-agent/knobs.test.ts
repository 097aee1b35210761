import { expect, test } from "vitest";
import { readKnobs, traitsOf } from "./knobs.js";

test("unset and empty variables have their defaults", () => {
  const standard = readKnobs({});
  expect(standard).toMatchObject({ version: "2.1.325", hasRegistry: true, answerMs: 0, suggestion: "" });
  expect(readKnobs({ DEMO_VERSION: "", DEMO_NO_REGISTRY: "", DEMO_ANSWER_MS: "" })).toEqual(standard);
  expect(readKnobs({ DEMO_NO_REGISTRY: "1", DEMO_ANSWER_MS: "20" })).toMatchObject({
    hasRegistry: false,
    answerMs: 20,
  });
});

test.each([
  ["DEMO_VERSION", "new"],
  ["DEMO_ANSWER_MS", "-1"],
  ["DEMO_START_MS", "1s"],
  ["DEMO_NO_REGISTRY", "yes"],
])("%s=%s is refused by name", (name, value) => {
  expect(() => readKnobs({ [name]: value })).toThrow(name);
});

test.each([
  ["2.0.14", { isPeerAware: false, hasInbox: false, isOld: true }],
  ["2.1.0", { isPeerAware: false, hasInbox: false, isOld: false }],
  ["2.1.197", { isPeerAware: false, hasInbox: false, isOld: false }],
  ["2.1.223", { isPeerAware: true, hasInbox: false, isOld: false }],
  ["2.1.224", { isPeerAware: true, hasInbox: true, isOld: false }],
  ["2.1.325", { isPeerAware: true, hasInbox: true, isOld: false }],
  ["3.0.0", { isPeerAware: true, hasInbox: true, isOld: false }],
])("version %s behaves as %j", (version, traits) => {
  expect(traitsOf(version)).toEqual(traits);
});
