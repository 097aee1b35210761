import { expect, test } from "vitest";
import { ScreenError } from "./error.js";
import type { Screen } from "./screen.js";
import { argument, listWindows, parseWindows, shownWindow } from "./window.js";

test.each([
  [";m0|tronMon;m1|web;m12|api", { 0: "tronMon", 1: "web", 12: "api" }],
  [";m1|", { 1: "" }],
  [";m1|a;2|b|c", { 1: "a;2|b|c" }],
  [";m1|two\nlines;m2|x", { 1: "two\nlines", 2: "x" }],
  ["", {}],
])("%j are the windows %j", (printed, titles) => {
  const windows = parseWindows(printed, "m");
  expect(Object.fromEntries(windows.map(({ number, title }) => [number, title]))).toEqual(titles);
});

test.each([
  [";m1|averyvery;m2|averyv", ["averyvery", "averyv"]],
  [";m1;m2", ["", ""]],
])("%j, cut by a narrow terminal, keeps its numbers", (printed, titles) => {
  expect(parseWindows(printed, "m").map(({ title }) => title)).toEqual(titles);
});

test("an unreadable answer is an error, not a viewer without windows", () => {
  expect(() => parseWindows(";mx|web", "m")).toThrow(/unreadable answer/);
});

/** Returns these answers one by one, with the query's mark in place of `MARK`. */
function saying(...answers: (string | ScreenError)[]): Screen {
  const ask: Screen["ask"] = async (...argv) => {
    const mark = /[0-9a-f]{6}/.exec(argv.at(-1)!)![0];
    const answer = answers.shift()!;
    if (typeof answer === "string") return { printed: answer.replaceAll("MARK", mark), failure: null };
    return { printed: answer.message, failure: answer };
  };
  return { ask, run: async () => "" };
}

const taken = new ScreenError("failed", "There is already a screen running on 1.x-queryA.");

test("a foreign or empty answer is asked for again; a failure is not", async () => {
  expect(await shownWindow(saying("000000n7", "", taken, "MARKn3"), "1.x")).toBe(3);
  expect(await listWindows(saying(";0000001|theirs", "Remove dead screens.\n;MARK2|ours"), "1.x")).toEqual([
    { number: 2, title: "ours" },
  ]);
  const gone = new ScreenError("no-session", "No screen session found.");
  await expect(shownWindow(saying(gone), "1.x")).rejects.toBe(gone);
});

test.each([
  ["web4team", "web4team"],
  ["a%n", "a%n"],
  ["$HOME", "\\$HOME"],
  ["^A", "\\^A"],
  ["a\\012", "a\\\\012"],
])("%s is written %s", (text, written) => {
  expect(argument(text)).toBe(written);
});
