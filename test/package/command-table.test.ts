import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { runInThisContext } from "node:vm";
import { expect, test } from "vitest";
import { rows } from "../../src/cli/command-table.js";
import { mainProgram } from "../command.js";

type Table = typeof import("../../src/cli/command-table.js");

/** A module of the built command, loaded as start.ts does. */
function builtModule(path: string): unknown {
  const folder = dirname(mainProgram);
  const names = readFileSync(mainProgram, "utf8").match(/command-(?:front|core|usual|rest)-\w+\.cjs/g)!;
  const loaded: Record<string, () => unknown>[] = [];
  const layer = (at: number, wanted: string): unknown => {
    if (loaded[at] === undefined) {
      const file = join(folder, names[at]!);
      const module = { exports: {} };
      const run = runInThisContext(readFileSync(file, "latin1"), { filename: file });
      run(module.exports, createRequire(file), module, file, folder, layer);
      loaded[at] = module.exports;
    }
    return loaded[at]![wanted]!();
  };
  return layer(0, path);
}

test("[CT1] the built list says what the commands say, and loads them", async () => {
  const built = builtModule("src/cli/command-table.ts") as Table;
  const facts = ({ load: _, ...row }: Table["rows"][number]) => row;
  expect(built.rows.map(facts)).toEqual(rows.map(facts));
  const commands = await Promise.all(built.rows.map((row) => row.load()));
  expect(commands.map(({ words, about }) => [words, about])).toEqual(
    rows.map(({ words, about }) => [words, about]),
  );
  expect((await built.defaultRow.load()).words).toBe("");
});
