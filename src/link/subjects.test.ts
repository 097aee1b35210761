import fc from "fast-check";
import { expect, test } from "vitest";
import { anyOf, fleetForms, subjects, unword, word } from "./subjects.js";

test("[FW1] every name is one word and comes back from it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), (name) => {
      const made = word(name);
      expect(made).toMatch(/^[A-Za-z0-9_=-]+$/);
      expect(unword(made)).toBe(Buffer.from(name, "utf8").toString("utf8"));
    }),
  );
});

test.each([
  ["alpha", "alpha"],
  ["build.example", "build=2Eexample"],
  ["*", "=2A"],
  [">", "=3E"],
  ["", "="],
  ["a=b", "a=3Db"],
  ["é", "=C3=A9"],
])("[FW1] %j is the word %s", (name, made) => {
  expect(word(name)).toBe(made);
  expect(unword(made)).toBe(name);
});

test.each(["a.b", "a b", "*", "=2e", "=61", "=C3", ""])("%j is a word of nobody", (text) => {
  expect(unword(text)).toBeNull();
});

test("subjects name both hosts, and `anyOf` stands for all", () => {
  expect(subjects.mail("b.c", "a")).toBe("hive.mail.b=2Ec.a");
  expect(subjects.act("b", anyOf)).toBe("hive.act.b.*");
});

test("every form has the wanted replicas, and no two streams share a subject", () => {
  const { buckets, streams, objects } = fleetForms(3);
  expect([...buckets, ...streams, ...objects].every(({ replicas }) => replicas === 3)).toBe(true);
  const all = streams.flatMap((stream) => stream.subjects);
  expect(new Set(all).size).toBe(all.length);
});
