import { describe, expect, test } from "vitest";
import { a, b, long, look, rows } from "../../test/viewer/made.js";
import { differencesOf, shownClaim, windowOf } from "./team-windows.js";

describe("which window a team has", () => {
  test.each([
    ["by its title, whatever its old number", { windows: { 5: "a" }, clients: ["a a 1"] }, 5],
    ["also with a question mark", { windows: { 5: "a?" } }, 5],
    [
      "by a title that a narrow terminal truncated",
      { windows: { 5: "b", 6: long.slice(0, 20) }, team: long },
      6,
    ],
    ["not by the beginning of a short title", { windows: { 5: "web4" }, team: "web4team" }, null],
    ["by its client, if a person changed the title", { windows: { 5: "my title" }, clients: ["a a 5"] }, 5],
    [
      "not by its client, if the number belongs to another team",
      { windows: { 5: "b" }, clients: ["a a 5", "b b 4"] },
      null,
    ],
    [
      "by its whole title, before a title that is its beginning",
      { windows: { 5: "customer-service", 6: "customer-service-eu" }, team: "customer-service-eu" },
      6,
    ],
    [
      "not by the whole name of another team",
      { windows: { 5: "customer-service" }, running: ["customer-service"], team: "customer-service-eu" },
      null,
    ],
    [
      "nor by a window whose team ended and whose client moved elsewhere",
      { windows: { 5: "customer-service" }, clients: ["customer-service b 5"], team: "customer-service-eu" },
      null,
    ],
    [
      "by its client, if a truncated title could be another team's",
      {
        windows: { 5: long.slice(0, 20), 6: long.slice(0, 20) },
        clients: [`${long}-2 a 5`, `${long} a 6`],
        team: long,
      },
      6,
    ],
    ["none", { windows: { 5: "x" } }, null],
  ])("%s", (_, { team = "a", ...given }: { team?: string } & Parameters<typeof look>[0], window) => {
    expect(windowOf(look(given), team as typeof a).window).toBe(window);
  });
});

describe("what its window shows", () => {
  test.each([
    ["the team", { windows: { 1: "a" }, clients: ["a a 1"] }, "ready", "a"],
    ["the team, in the front window", { windows: { 1: "a" }, clients: ["a a 1"], front: 1 }, "shown", "a"],
    [
      "another team, to which tmux moved its client (incident 56)",
      { windows: { 1: "a" }, clients: ["a b 1"] },
      "wrong",
      "b",
    ],
    [
      "a team whose name only starts the same (incident 58)",
      { windows: { 1: "a" }, clients: ["a a2 1"] },
      "wrong",
      "a2",
    ],
    ["nothing: its client is gone", { windows: { 1: "a" } }, "wrong", null],
    ["the right client of two", { windows: { 2: "a" }, clients: ["a b 1", "a a 2"] }, "ready", "a"],
    ["no window, although it runs", {}, "missing", null],
    ["no window, and it does not run", { running: [] }, "not running", null],
  ])("%s", (_, given: Parameters<typeof look>[0], state, shows) => {
    expect(windowOf(look(given), a)).toMatchObject({ state, shows });
  });
});

test("only a title without a question mark claims a team, and only a team of S8", () => {
  const claim = (title: string) =>
    shownClaim(
      look({ windows: { 1: title, 2: "b" }, clients: ["a b 1"], front: 1 }),
      rows({ 1: "a", 2: "b" }),
    );
  expect(claim("a")).toEqual({ named: "a", shows: "b" });
  expect([claim("a?"), claim("mine"), claim("tronMon")]).toEqual([null, null, null]);
  expect(shownClaim(look({ windows: { 1: "a" }, front: 1 }), rows({ 1: "a" }))).toEqual({
    named: a,
    shows: "nothing",
  });
});

test("a window claims the team with its exact title, not one with a longer name", () => {
  const windows = { 1: "customer-service", 2: long.slice(0, 20) };
  const noted = rows({ 1: long, 2: "customer-service-eu", 3: "customer-service" });
  const running = ["customer-service", "customer-service-eu", long];
  const claim = (front: number) => shownClaim(look({ windows, front, running }), noted)?.named;
  expect([claim(1), claim(2)]).toEqual(["customer-service", long]);
  expect(shownClaim(look({ windows, front: 1, running }), rows({ 1: "customer-service-eu" }))).toBeNull();
});

test("each difference is one line", () => {
  const given = look({
    windows: { 1: "a", 3: "b", 4: "c?" },
    clients: ["a b 1", "b b 3", "c c 4"],
    running: ["a", "b", "c", "d"],
  });
  const found = differencesOf(given, rows({ 1: "a", 2: "b", 4: "c", 5: "d", 6: "e" }));
  expect(found.map(({ words }) => words)).toEqual([
    "window 1 is for a but shows b",
    "b is in window 3, recorded as 2",
    'window 4 is for c but is named "c?"',
    "d runs but has no window",
  ]);
  expect(found.map(({ team, expected, actual }) => [team, expected, actual])).toEqual([
    ["a", "a", "b"],
    ["b", "window 2", "window 3"],
    ["c", "title c", "title c?"],
    ["d", "a window", "none"],
  ]);
  expect(found.filter(({ isClaimed }) => !isClaimed).map(({ team }) => team)).toEqual(["c"]);
  expect(differencesOf(look({ windows: { 1: "b" }, clients: ["b b 1"] }), rows({ 1: "b" }))).toEqual([]);
  expect(b).toBe("b");
});

test("of two windows with one title the front one counts too", () => {
  const given = look({ windows: { 1: "a", 2: "a" }, clients: ["a a 1", "a b 2"], front: 2 });
  expect(differencesOf(given, rows({ 1: "a" }))).toMatchObject([{ team: "a", expected: "a", actual: "b" }]);
});
