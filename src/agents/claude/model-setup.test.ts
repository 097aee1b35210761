import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { modelSetup } from "./model-setup.js";

interface Made {
  args?: string[];
  env?: Record<string, string>;
  user?: object;
  project?: object;
  local?: object;
  /** Given with `--settings`. */
  file?: object;
}

const startedAtMs = Date.now() + 60_000;

function setup({ args = [], env = {}, user, project, local, file }: Made, startMs = startedAtMs) {
  const root = mkdtempSync(join(tmpdir(), "hm-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "work", ".claude"), { recursive: true });
  const write = (path: string, content: object | undefined) => {
    if (content !== undefined) writeFileSync(join(root, path), JSON.stringify(content));
  };
  write("settings.json", user);
  write("work/.claude/settings.json", project);
  write("work/.claude/settings.local.json", local);
  write("work/given.json", file);
  const words = file === undefined ? args : [...args, "--settings", "given.json"];
  return modelSetup({
    args: ["claude", ...words],
    variables: new Map(Object.entries(env)),
    folder: root,
    cwd: join(root, "work"),
    startedAtMs: startMs,
  });
}

test.each<[string, Made, string | null, string | null]>([
  ["nothing", {}, null, null],
  ["arguments", { args: ["--model", "opus[1m]"] }, "opus[1m]", null],
  ["the last of two arguments", { args: ["--model=haiku", "--model", "opus[1m]"] }, "opus[1m]", null],
  ["the environment", { env: { ANTHROPIC_MODEL: "x[1m]" }, user: { model: "haiku" } }, "x[1m]", "haiku"],
  ["arguments before it", { args: ["--model", "x"], env: { ANTHROPIC_MODEL: "x[1m]" } }, "x", null],
  [
    "the environment in the settings, before the process's",
    { env: { ANTHROPIC_MODEL: "x" }, user: { env: { ANTHROPIC_MODEL: "x[1m]" } } },
    "x[1m]",
    null,
  ],
  [
    "the variable of the family",
    { args: ["--model", "opus"], env: { ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-opus-4-6[1m]" } },
    "claude-opus-4-6[1m]",
    null,
  ],
  [
    "the variable of the family, with the requested window",
    { args: ["--model", "opus[1m]"], env: { ANTHROPIC_DEFAULT_OPUS_MODEL: "claude-opus-4-6" } },
    "claude-opus-4-6[1m]",
    null,
  ],
  [
    "not the variable of another family",
    { args: ["--model", "opus"], env: { ANTHROPIC_DEFAULT_SONNET_MODEL: "claude-sonnet-4-6[1m]" } },
    "opus",
    null,
  ],
  ["nothing for a custom agent", { args: ["--agent", "rev", "--model", "opus[1m]"] }, null, null],
])("the model is pinned by %s", (_, made, pinned, usual) => {
  expect(setup(made)).toMatchObject({ pinned, usual });
});

test.each<[string, Made, string]>([
  ["the user's", { user: { model: "opus[1m]" } }, "opus[1m]"],
  ["the folder's", { user: { model: "haiku" }, project: { model: "x[1m]" } }, "x[1m]"],
  ["the folder's local ones", { project: { model: "opus[1m]" }, local: { model: "x" } }, "x"],
  ["a given file", { local: { model: "x" }, file: { model: "y[1m]" } }, "y[1m]"],
  ["given JSON", { local: { model: "x[1m]" }, args: ["--settings", '{"model":"y"}'] }, "y"],
])("the usual model comes from %s", (_, made, usual) => {
  expect(setup(made)).toMatchObject({ pinned: null, usual });
});

test("settings written after the start do not count", () => {
  expect(setup({ user: { model: "opus[1m]" } }, Date.now() - 60_000).usual).toBeNull();
});

test.each<[Made, boolean, number | null]>([
  [{ env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: "1" } }, true, null],
  [{ env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: "true" } }, true, null],
  [{ env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: "0" } }, false, null],
  [{ user: { env: { CLAUDE_CODE_DISABLE_1M_CONTEXT: "1" } } }, true, null],
  [{ env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "300000" } }, false, null],
  [{ env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: "300000", DISABLE_COMPACT: "1" } }, false, 300_000],
])("%j switches the large window off: %s, and sets %s tokens", (made, isLargeOff, windowTokens) => {
  expect(setup(made)).toMatchObject({ isLargeOff, windowTokens });
});

test("settings that are not JSON do not count", () => {
  const root = mkdtempSync(join(tmpdir(), "hm-setup-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  writeFileSync(join(root, "settings.json"), "{ model:");
  utimesSync(join(root, "settings.json"), 1, 1);
  const start = { args: [], variables: new Map(), folder: root, cwd: null, startedAtMs };
  expect(modelSetup(start)).toEqual({ pinned: null, usual: null, isLargeOff: false, windowTokens: null });
});
