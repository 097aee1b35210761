import { expect, test } from "vitest";
import { type Session, sessionsMeant, shortFolder, sizeWords } from "./session-rows.js";

const session = (facts: Partial<Record<keyof Session, string>>) =>
  ({ title: null, cwd: null, ...facts }) as unknown as Session;
const all = [
  session({ id: "aa", title: "Plan the release", cwd: "/src/web" }),
  session({ id: "bb", title: "Review", gitBranch: "release" }),
];

test.each([
  ["release", ["aa", "bb"]],
  ["RELEASE plan", ["aa"]],
  ["web", ["aa"]],
  ["", ["aa", "bb"]],
  ["nothing", []],
])("%j means", (typed, expected) => expect(sessionsMeant(all, typed).map(({ id }) => id)).toEqual(expected));

test("a folder is named by its last two parts", () => {
  expect(shortFolder("/home/me/src/web")).toBe("…/src/web");
  expect(shortFolder("/srv")).toBe("/srv");
});

test.each([
  [999, "999 B"],
  [12_300, "12 kB"],
  [4_560_000, "4.6 MB"],
])("%i bytes", (bytes, words) => expect(sizeWords(bytes)).toBe(words));
