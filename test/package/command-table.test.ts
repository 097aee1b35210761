import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { rows } from "../../src/cli/command-table.js";
import { mainProgram } from "../command.js";

type Table = typeof import("../../src/cli/command-table.js");

type Modules = Record<string, () => unknown>;

/** The files of the built command, each loaded on demand as start.ts does. */
function builtFiles(): { count: number; load(at: number): Modules } {
  const folder = dirname(mainProgram);
  const names = readFileSync(mainProgram, "utf8").match(/command-[a-z]+-\w+\.cjs/g)!;
  const loaded: Modules[] = [];
  const load = (at: number): Modules => {
    if (loaded[at] === undefined) {
      const file = join(folder, names[at]!);
      const module = { exports: {} };
      const run = runInThisContext(readFileSync(file, "latin1"), { filename: file });
      const layer = (other: number, wanted: string) => load(other)[wanted]!();
      run(module.exports, createRequire(file), module, file, folder, layer);
      loaded[at] = module.exports;
    }
    return loaded[at]!;
  };
  return { count: names.length, load };
}

test("[CT1] the built list says what the commands say, and loads them", async () => {
  const built = builtFiles().load(0)["src/cli/command-table.ts"]!() as Table;
  const facts = ({ load: _, ...row }: Table["rows"][number]) => row;
  expect(built.rows.map(facts)).toEqual(rows.map(facts));
  const commands = await Promise.all(built.rows.map((row) => row.load()));
  expect(commands.map(({ words, about }) => [words, about])).toEqual(
    rows.map(({ words, about }) => [words, about]),
  );
  expect((await built.defaultRow.load()).words).toBe("");
});

test("every module of the built command runs, whatever it imports late", () => {
  const { count, load } = builtFiles();
  for (let at = 0; at < count; at++) {
    const paths = Object.keys(load(at)).filter((path) => path !== "src/main.ts");
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect(typeof load(at)[path]!(), path).toMatch(/object|function/);
  }
});
