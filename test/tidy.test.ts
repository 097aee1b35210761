import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  layers,
  layerViolations,
  lengthViolations,
  longestFile,
  nameViolations,
  numberViolations,
  onlyRules,
  onlyViolations,
  type Source,
} from "./tidy/rules.js";

const root = new URL("..", import.meta.url).pathname;

function read(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), "utf8") }));
}

const all = read("src");
const sources = all.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const tests = [...all, ...read("test")].filter(
  ({ path }) => /\.test\.tsx?$/.test(path) && path !== "test/tidy.test.ts",
);

describe("the source", () => {
  test("imports downwards only, by the layer table", () => expect(layerViolations(sources)).toEqual([]));
  test("leaves each deed to its one folder", () => expect(onlyViolations(sources)).toEqual([]));
  test(`has no file over ${longestFile} lines`, () => expect(lengthViolations(all)).toEqual([]));
  test("has a test for every numbered rule, and a rule for every numbered test", () =>
    expect(numberViolations(sources, tests)).toEqual([]));
  test("has no file named after nothing", () => expect(nameViolations(sources)).toEqual([]));
  test("is all in the layer table, and the table is acyclic", () => {
    for (const [part, below] of Object.entries(layers)) {
      for (const other of below) expect(layers[other], `${part} and ${other}`).not.toContain(part);
    }
  });
});

describe("each check goes red on what it forbids", () => {
  const one = (path: string, text: string) => [{ path, text }];

  test.each([
    ["upwards", "src/stores/roles.ts", 'import { x } from "../fleet/observe.js";'],
    ["sideways", "src/tmux/pane.ts", 'import { x } from "../processes/linux.js";'],
    ["between faces", "src/cli/status.ts", 'import { x } from "../web/server.js";'],
    ["upwards at run time", "src/fleet/observe.ts", 'await import("../cli/run.js");'],
    ["into a folder that is in no layer", "src/misc/x.ts", ""],
  ])("an import %s", (_, path, text) => expect(layerViolations(one(path, text))).toHaveLength(1));

  test.each([
    ["runs tmux", 'spawn("tmux", [])'],
    ["runs GNU screen", 'execFileSync("screen", [])'],
    ["starts programs", 'import { spawn } from "node:child_process";'],
    ["runs a shell string", "spawn(x, [], { shell: true })"],
    ["writes files", 'import { writeFileSync } from "node:fs";'],
    ["names a store's file", 'const path = "hivemind.roles.env";'],
    ["prints", 'console.log("x")'],
    ["waits by a clock that can be set", "const end = Date.now() + 5;"],
  ])("a stranger that %s", (deed, text) => {
    const rule = onlyRules.filter((each) => each.deed === deed);
    expect(onlyViolations(one("src/fleet/observe.ts", text), rule)).toEqual([`src/fleet/observe.ts ${deed}`]);
    expect(onlyViolations(one("src/fleet/observe.ts", `// ${text}`), rule)).toEqual([]);
  });

  test("a file that is too long", () => {
    expect(lengthViolations(one("src/x.ts", "\n".repeat(longestFile)))).toEqual([]);
    expect(lengthViolations(one("src/x.ts", "\n".repeat(longestFile + 1)))).toHaveLength(1);
  });

  test("a rule without a test, a test without a rule, a number with two homes", () => {
    const rule = one("src/a.ts", "// [X1] A law.\n");
    const titled = one("src/a.test.ts", 'test("[X1] holds", …)');
    expect(numberViolations(rule, titled)).toEqual([]);
    expect(numberViolations(rule, [])).toEqual(["[X1] of src/a.ts has no test"]);
    expect(numberViolations([], titled)).toHaveLength(1);
    expect(numberViolations([...rule, ...one("src/b.ts", "// [X1] Another.\n")], titled)).toHaveLength(1);
  });

  test("a file named after nothing", () =>
    expect(nameViolations(one("src/base/utils.ts", ""))).toHaveLength(1));
});
