import { expect, test } from "vitest";
import { HiveError } from "../base/errors.js";
import { answerTo, served } from "./serve.js";
import { tools } from "./tools.js";

const never = new AbortController().signal;

async function failing(error: unknown) {
  const notes: string[] = [];
  const hive = () => Promise.reject(error);
  const answer = await answerTo(
    { hive, env: {}, note: (line) => void notes.push(line) },
    "who_am_i",
    {},
    never,
  );
  return { answer, notes };
}

test("a refusal is an answer with its hint", async () => {
  const { answer, notes } = await failing(new HiveError("the roster is locked", { hint: "wait for it" }));
  expect(answer).toEqual({ text: "the roster is locked\nwait for it", isError: true });
  expect(notes).toEqual([]);
});

test.each([
  [new TypeError("x is undefined"), "who_am_i failed: x is undefined"],
  ["thrown", "who_am_i failed: thrown"],
])("a bug is an answer too, and its stack goes to stderr", async (error, text) => {
  const { answer, notes } = await failing(error);
  expect(answer).toEqual({ text, isError: true });
  expect(notes.join()).toContain("this is a bug");
});

test("an unknown tool and wrong arguments are refused before anything is opened", async () => {
  const world = { hive: () => Promise.reject(new Error("opened")), env: {}, note: () => {} };
  expect((await answerTo(world, "approve", {}, never)).text).toMatch(
    /^there is no tool "approve"\nthere are: who_am_i/,
  );
  expect((await answerTo(world, "send", { agent: "a" }, never)).text).toMatch(
    /^refused: text of send is missing/,
  );
});

test("[MCP2] the other tools only read, and every tool says what it does", () => {
  const listed = tools.map(served);
  const writing = listed.filter(({ annotations }) => !annotations.readOnlyHint).map(({ name }) => name);
  expect(writing).toEqual(["send", "delegate", "wait_for"]);
  for (const { description } of listed) expect(description).toMatch(/\.$/);
});
