// The page that names a command for each promise about sessions: its commands are there, and pick tests. They are only
// listed here, in one go for each mode; the suites themselves run them.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { testHome } from "./home.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const vitest = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));

interface Check {
  command: string;
  mode: string;
  file: string;
  title: string;
}

interface Listed {
  /** All its names from the outermost on. */
  name: string;
  file: string;
}

const page = readFileSync(new URL("../docs/verification-map.md", import.meta.url), "utf8");
const rows = page.split("\n").filter((line) => /^\| (?!claim )/.test(line));
const form = /^\| .+ \| `npx vitest run (?:--mode (client) )?(\S+\.test\.ts)(?: -t "([^"]+)")?` \|$/;

function checks(): Check[] {
  return rows.map((row) => {
    const [, mode = "test", file, title = ""] = form.exec(row) ?? [];
    return { command: row.split("`").at(-2) ?? row, mode, file: file ?? "", title };
  });
}

async function listed(
  mode: string,
  files: readonly string[],
  env: Record<string, string>,
): Promise<Listed[]> {
  const args = [vitest, "list", "--json", "--mode", mode, ...files];
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env,
    maxBuffer: 64 << 20,
  });
  const found: Listed[] = JSON.parse(stdout.slice(stdout.indexOf("[\n")));
  return found.map(({ name, file }) => ({
    name: name.replaceAll(" > ", " "),
    file: file.slice(root.length),
  }));
}

test("every claim of the verification map has one focused command", () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.filter((row) => !form.test(row))).toEqual([]);
});

test("every command of the verification map picks tests that are there", async () => {
  const { env } = testHome();
  const all = checks();
  const missing: string[] = [];
  for (const mode of new Set(all.map((check) => check.mode))) {
    const own = all.filter((check) => check.mode === mode);
    const found = await listed(mode, [...new Set(own.map(({ file }) => file))], env);
    for (const { command, file, title } of own) {
      // As vitest itself picks by `-t`.
      const pattern = new RegExp(title);
      const isThere = found.some((each) => each.file === file && pattern.test(each.name));
      if (!isThere) missing.push(command);
    }
  }
  expect(missing).toEqual([]);
});
