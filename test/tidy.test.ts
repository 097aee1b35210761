import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  commandViolations,
  functionViolations,
  largestRoom,
  lateViolations,
  layers,
  layerViolations,
  lengthViolations,
  longestFile,
  longestFunction,
  nameViolations,
  numberViolations,
  onlyRules,
  onlyViolations,
  pageViolations,
  roomViolations,
  type Source,
  storeViolations,
} from "./tidy/rules.js";

const root = new URL("..", import.meta.url).pathname;

function read(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .map((name) => ({ path: join(folder, name), text: readFileSync(join(root, folder, name), "utf8") }));
}

const all = [...read("src"), ...read("demo-agent"), ...read("web")];
const sources = all.filter(({ path }) => !/\.test\.tsx?$/.test(path));
const tests = [...all, ...read("test")].filter(
  ({ path }) => /\.test\.tsx?$/.test(path) && path !== "test/tidy.test.ts",
);

describe("the source", () => {
  test("imports downwards only, by the layer table", () => expect(layerViolations(sources)).toEqual([]));
  test("loads the server's parts late", () => expect(lateViolations(sources)).toEqual([]));
  test("loads nothing of node in the page", () => expect(pageViolations(sources)).toEqual([]));
  test("does each restricted thing only in its own folder", () =>
    expect(onlyViolations(sources)).toEqual([]));
  test(`has no file over ${longestFile} lines`, () => expect(lengthViolations(all)).toEqual([]));
  test(`has no function over ${longestFunction} lines`, () =>
    expect(functionViolations(sources)).toEqual([]));
  test("has a test for every numbered law, and a law for every numbered test", () =>
    expect(numberViolations(sources, tests)).toEqual([]));
  test(`has no folder with more than ${largestRoom} files`, () =>
    expect(roomViolations(sources)).toEqual([]));
  test("has only stores in the stores folder", () => expect(storeViolations(sources)).toEqual([]));
  test("has each command in the folder of its first word", () =>
    expect(commandViolations(sources)).toEqual([]));
  test("has no file with a meaningless name", () => expect(nameViolations(sources)).toEqual([]));
  test("has an acyclic layer table", () => {
    for (const [part, below] of Object.entries(layers)) {
      for (const other of below) expect(layers[other], `${part} and ${other}`).not.toContain(part);
    }
  });
});

describe("each check fails on what it forbids", () => {
  const one = (path: string, text: string) => [{ path, text }];

  test.each([
    ["upwards", "src/stores/roles.ts", 'import { x } from "../fleet/observe.js";'],
    ["sideways", "src/tmux/pane.ts", 'import { x } from "../git/run.js";'],
    ["between interfaces", "src/top/run-top.ts", 'import { x } from "../web/run-server.js";'],
    ["upwards at run time", "src/fleet/observe.ts", 'await import("../cli/run.js");'],
    ["in a folder that is in no layer", "src/misc/x.ts", ""],
  ])("an import %s", (_, path, text) => expect(layerViolations(one(path, text))).toHaveLength(1));

  test.each([
    ["a part of src/", "web/board/board.tsx", 'import { viewTeams } from "../../src/fleet/view.js";'],
    ["node", "src/web/fleet-delta.ts", 'import { join } from "node:path";'],
  ])("an import of %s in the page", (_, path, text) => {
    expect(pageViolations(one(path, text))).toHaveLength(1);
    expect(pageViolations(one(path, text.replace("import", "import type")))).toEqual([]);
  });

  test.each([
    ["a part that loads late", "src/cli/mcp/mcp.ts", 'import { serve } from "../../mcp/serve.js";'],
    ["the server", "src/cli/serve/serve.ts", 'import { openWebServer } from "../../web/run-server.js";'],
    ["the server's foreign code", "src/web/run-server.ts", 'import { Hono } from "./http.js";'],
    ["the protocol", "src/mcp/serve.ts", 'import { serveProtocol } from "./protocol.js";'],
    ["its package", "src/mcp/serve.ts", 'import { Server } from "@modelcontextprotocol/server";'],
  ])("an early import of %s", (_, path, text) => {
    expect(lateViolations(one(path, text))).toHaveLength(1);
    expect(lateViolations(one(path, text.replace("import", "import type")))).toEqual([]);
    expect(lateViolations(one(path, text.replace(/.*from (".*");/, "await import($1);")))).toEqual([]);
  });

  test.each([
    ["runs tmux", 'spawn("tmux", [])'],
    ["runs GNU screen", 'execFileSync("screen", [])'],
    ["starts programs", 'import { spawn } from "node:child_process";'],
    ["depends on one system", 'readFileSync("/proc/uptime")'],
    ["depends on one system", "const line = `read -r up </proc/uptime`;"],
    ["depends on one system", 'if (process.platform === "linux") return;'],
    ["depends on one system", 'spawnSync("lsof", ["-p", "1"])'],
    ["depends on one system", "const line = 'here=$(readlink -f \"$0\")';"],
    ["depends on one system", "const line = 'at=$(date +%s%N)';"],
    ["runs a shell string", "spawn(x, [], { shell: true })"],
    ["writes files", 'import { writeFileSync } from "node:fs";'],
    ["names a store's file", 'const path = "hivemind.roles.env";'],
    ["prints", 'console.log("x")'],
    ["waits by a clock that can be set", "const end = Date.now() + 5;"],
  ])("another folder that %s", (deed, text) => {
    const rule = onlyRules.filter((each) => each.deed === deed);
    expect(onlyViolations(one("src/fleet/observe.ts", text), rule)).toEqual([`src/fleet/observe.ts ${deed}`]);
    expect(onlyViolations(one("src/fleet/observe.ts", `// ${text}`), rule)).toEqual([]);
  });

  test("a file that is too long", () => {
    expect(lengthViolations(one("src/x.ts", "\n".repeat(longestFile)))).toEqual([]);
    expect(lengthViolations(one("src/x.ts", "\n".repeat(longestFile + 1)))).toHaveLength(1);
  });

  test("a law without a test, a test without a law, a number in two files", () => {
    const rule = one("src/a.ts", "// [X1] A law.\n");
    const titled = one("src/a.test.ts", 'test("[X1] holds", …)');
    expect(numberViolations(rule, titled)).toEqual([]);
    expect(numberViolations(rule, [])).toEqual(["[X1] of src/a.ts has no test"]);
    expect(numberViolations([], titled)).toHaveLength(1);
    expect(numberViolations([...rule, ...one("src/b.ts", "// [X1] Another.\n")], titled)).toHaveLength(1);
  });

  test("a function that is too long", () => {
    const lines = (count: number) => one("src/x.ts", `const f = () => {${"\n".repeat(count - 1)}};\n`);
    expect(functionViolations(lines(longestFunction))).toEqual([]);
    expect(functionViolations(lines(longestFunction + 1))).toHaveLength(1);
  });

  test("a folder with too many files", () => {
    const files = Array.from({ length: largestRoom + 1 }, (_, at) => ({ path: `src/x/${at}.ts`, text: "" }));
    expect(roomViolations(files.slice(1))).toEqual([]);
    expect(roomViolations(files)).toHaveLength(1);
  });

  test("a file in the stores folder that is not a store", () => {
    const list = { path: "src/stores/stores.ts", text: 'import { openForks } from "./forks.js";' };
    const stores = [list, ...one("src/stores/forks.ts", ""), ...one("src/stores/file/rows.ts", "")];
    expect(storeViolations(stores)).toEqual([]);
    expect(storeViolations([...stores, ...one("src/stores/text.ts", "")])).toHaveLength(1);
  });

  test("a command outside the folder of its first word", () => {
    const send = one("src/cli/send/send.ts", 'words: "send",');
    expect(commandViolations([...send, ...one("src/cli/send/tell.ts", 'words: "broadcast",')])).toEqual([]);
    expect(commandViolations([...send, ...one("src/cli/x/x.ts", 'words: "broadcast",')])).toHaveLength(1);
    expect(
      commandViolations([...send, ...one("src/cli/x/x.ts", 'words: "x",\nwords: "send now",')]),
    ).toHaveLength(1);
  });

  test("a file with a meaningless name", () =>
    expect(nameViolations(one("src/base/utils.ts", ""))).toHaveLength(1));
});
