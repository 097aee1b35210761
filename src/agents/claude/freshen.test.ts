import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { deriveSessionId } from "../../names/session-id.js";
import { freshenSession } from "./freshen.js";
import { claudeHome } from "./home.js";

function home(): string {
  const root = mkdtempSync(join(tmpdir(), "hm-fresh-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return root;
}

function stage(root: string, slug: string, agent: string, text = "words"): string {
  const path = join(root, "projects", slug, `${deriveSessionId("hello", agent)}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

test("the transcript becomes its .bak, in every folder that has it", () => {
  const root = home();
  const paths = [stage(root, "-a", "mgr", "first"), stage(root, "-b", "mgr", "second")];
  expect(freshenSession(root, "hello", "mgr")).toBe(`${paths[0]}.bak`);
  expect(paths.map((path) => existsSync(path))).toEqual([false, false]);
  expect(paths.map((path) => readFileSync(`${path}.bak`, "utf8"))).toEqual(["first", "second"]);
});

test("a second time replaces the .bak", () => {
  const root = home();
  const path = stage(root, "-a", "mgr", "first");
  freshenSession(root, "hello", "mgr");
  stage(root, "-a", "mgr", "second");
  freshenSession(root, "hello", "mgr");
  expect(readFileSync(`${path}.bak`, "utf8")).toBe("second");
});

test("other agents, siblings and folders of that name stay", () => {
  const root = home();
  const mine = stage(root, "-a", "mgr");
  const other = stage(root, "-a", "dev");
  const sibling = join(dirname(mine), "task.md");
  writeFileSync(sibling, "durable");
  writeFileSync(join(root, "projects", "stray-file"), "");
  const folder = join(root, "projects", "-b", `${deriveSessionId("hello", "mgr")}.jsonl`);
  mkdirSync(folder, { recursive: true });
  freshenSession(root, "hello", "mgr");
  expect([other, sibling, folder].map((path) => existsSync(path))).toEqual([true, true, true]);
});

test("a missing transcript is null, any other failure is thrown", () => {
  const root = home();
  expect(freshenSession(root, "hello", "mgr")).toBeNull();
  stage(root, "-a", "dev");
  expect(freshenSession(root, "hello", "mgr")).toBeNull();
  rmSync(join(root, "projects"), { recursive: true });
  writeFileSync(join(root, "projects"), "a file where the folder should be");
  expect(() => freshenSession(root, "hello", "mgr")).toThrow(/ENOTDIR/);
});

test.each([
  [{ CLAUDE_CONFIG_DIR: "/c", HOME: "/h" }, "/c"],
  [{ CLAUDE_CONFIG_DIR: "", HOME: "/h" }, "/h/.claude"],
  [{ HOME: "/h" }, "/h/.claude"],
  [{}, null],
])("the client's folder for %j is %j", (env, expected) => {
  expect(claudeHome(env)).toBe(expected);
});
