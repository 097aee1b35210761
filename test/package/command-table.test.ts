import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { rows } from "../../src/cli/command-table.js";

type Table = typeof import("../../src/cli/command-table.js");

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

/** The list as the build writes it, and the code of all commands, in one program. */
async function builtTable(): Promise<Table> {
  const options = { bundle: true, platform: "node", define: { HIVEMIND_VERSION: '"0.0.0"' } };
  const { commandTable } = await import(path("scripts/command-table.mjs"));
  const { outputFiles } = await build({
    ...options,
    platform: "node",
    format: "cjs",
    entryPoints: [path("src/cli/command-table.ts")],
    outdir: path("dist"),
    define: { ...options.define, "import.meta.url": JSON.stringify(import.meta.url) },
    supported: { "dynamic-import": false },
    write: false,
    plugins: [await commandTable(options)],
  });
  const module = { exports: {} };
  new Function("require", "module", "exports", outputFiles[0]!.text)(
    createRequire(import.meta.url),
    module,
    module.exports,
  );
  return module.exports as Table;
}

test("[CT1] the built list says what the commands say, and loads them", async () => {
  const built = await builtTable();
  const facts = ({ load: _, ...row }: Table["rows"][number]) => row;
  expect(built.rows.map(facts)).toEqual(rows.map(facts));
  const commands = await Promise.all(built.rows.map((row) => row.load()));
  expect(commands.map(({ words, about }) => [words, about])).toEqual(
    rows.map(({ words, about }) => [words, about]),
  );
  expect((await built.defaultRow.load()).words).toBe("");
});
