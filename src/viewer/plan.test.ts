import { expect, test } from "vitest";
import { type Looked, look, rows } from "../../test/viewer/made.js";
import { limits } from "../limits.js";
import type { TeamName } from "../names/gates.js";
import { planWindows } from "./plan.js";

/** `end 1`, `open 2 web`, and the rows of S8 afterwards: `1 web`. */
function plan(
  given: Looked,
  noted: Record<number, string>,
  wanted: string,
): { steps: string[]; rows: string[] } {
  const { steps, rows: after } = planWindows(
    look(given),
    rows(noted),
    wanted.split(" ").filter(Boolean) as TeamName[],
  );
  return {
    steps: steps.map((step) => [step.do, step.window, "team" in step ? step.team : ""].join(" ").trim()),
    rows: after.map(({ window, team }) => `${window} ${team}`),
  };
}

const two: Looked = { windows: { 0: "tronMon", 1: "a", 2: "b" }, clients: ["a a 1", "b b 2"] };

test.each<[string, Looked, Record<number, string>, string, string[], string[]]>([
  ["all is as it should be", two, { 1: "a", 2: "b" }, "a b", [], ["1 a", "2 b"]],
  ["changed numbers are only recorded", two, { 7: "a", 2: "b" }, "a b", [], ["1 a", "2 b"]],
  [
    "also if one team's name is the beginning of another's",
    {
      windows: { 1: "customer-service", 2: "customer-service-eu" },
      clients: ["customer-service customer-service 1", "customer-service-eu customer-service-eu 2"],
      running: ["customer-service", "customer-service-eu"],
    },
    { 1: "customer-service", 2: "customer-service-eu" },
    "customer-service-eu customer-service",
    [],
    ["2 customer-service-eu", "1 customer-service"],
  ],
  ["a first window has number 1", { windows: { 0: "tronMon" } }, {}, "a", ["open 1 a"], ["1 a"]],
  [
    "a new team gets the number of a removed one",
    { ...two, windows: { 0: "tronMon", 1: "a", 2: "b", 3: "c" }, clients: ["a a 1", "b b 2", "c c 3"] },
    { 1: "a", 2: "b", 3: "c" },
    "a c d",
    ["end 2", "open 2 d"],
    ["1 a", "3 c", "2 d"],
  ],
  [
    "a missing window gets its old number",
    { windows: { 2: "b" }, clients: ["b b 2"] },
    { 1: "a", 2: "b" },
    "d a b",
    ["open 3 d", "open 1 a"],
    ["3 d", "1 a", "2 b"],
  ],
  [
    "the number of a person's window is not used",
    { windows: { 1: "mine" } },
    { 1: "a" },
    "a",
    ["open 2 a"],
    ["2 a"],
  ],
  [
    "a window that shows another team is replaced at its number",
    { ...two, clients: ["a b 1", "b b 2"] },
    { 1: "a", 2: "b" },
    "a b",
    ["end 1", "open 1 a"],
    ["1 a", "2 b"],
  ],
  [
    "a renamed team keeps its number",
    { ...two, running: ["a", "z"], clients: ["a a 1", "b z 2"] },
    { 1: "a", 2: "z" },
    "a z",
    ["end 2", "open 2 z"],
    ["1 a", "2 z"],
  ],
  [
    "a person's window stays, whatever its name",
    { windows: { 1: "a", 4: "vim", 5: "web4" } },
    { 1: "a" },
    "",
    ["end 1"],
    [],
  ],
  [
    "a second window of a team is ended",
    { windows: { 1: "a", 3: "a" }, clients: ["a a 1", "a a 3"] },
    { 1: "a" },
    "a",
    ["end 3"],
    ["1 a"],
  ],
  ["a window with a question mark is ours too", { windows: { 1: "a?" } }, { 1: "a" }, "", ["end 1"], []],
  [
    "a team that does not run keeps its row and number",
    { ...two, running: ["a"], windows: { 1: "a" } },
    { 1: "a", 2: "b" },
    "a b c",
    [],
    ["1 a", "2 b", "3 c"],
  ],
])("%s", (_, given, noted, wanted, steps, after) => {
  expect(plan(given, noted, wanted)).toEqual({ steps, rows: after });
});

test("more windows than screen can number are refused, with a hint", () => {
  const full = Object.fromEntries(Array.from({ length: limits.viewerWindows }, (_, at) => [at, "mine"]));
  expect(() => plan({ windows: full }, {}, "a")).toThrow(/no room/);
});
