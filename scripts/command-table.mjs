// The list of commands as the built command has it: src/cli/command-table.ts, written out. Each row names the file
// that has its command, and loads it only when somebody types the command.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const folder = fileURLToPath(new URL("../src/cli/", import.meta.url));

/** For esbuild: puts the written list in the place of the source. */
export async function commandTable(options) {
  const contents = await tableText(options);
  return {
    name: "command table",
    setup({ onLoad }) {
      onLoad({ filter: /\/cli\/command-table\.ts$/, namespace: "file" }, () => ({
        contents,
        loader: "js",
        resolveDir: folder,
      }));
    },
  };
}

async function tableText(options) {
  const files = [...readFileSync(`${folder}commands.ts`, "utf8").matchAll(/ from "(\.\/.*\/.*\.js)";$/gm)];
  const paths = files.map(([, path]) => path);
  const { rows, defaultRow, ...modules } = await exportsOf(paths, options);
  const places = new Map();
  for (const [at, path] of paths.entries()) {
    for (const [name, value] of Object.entries(modules[`file${at}`])) {
      places.set(value, { path, name });
      if (Array.isArray(value))
        for (const [place, each] of value.entries()) places.set(each, { path, name: `${name}[${place}]` });
    }
  }
  const written = async ({ load, ...facts }) => {
    const { path, name } = places.get(await load());
    return `{${JSON.stringify(facts).slice(1, -1)},load:()=>import(${JSON.stringify(path)}).then(file=>file.${name})}`;
  };
  const lines = await Promise.all(rows.map(written));
  return `export const rows=[${lines.join(",\n")}];\nexport const defaultRow=${await written(defaultRow)};\n`;
}

/** The list itself, and everything that the files of commands export, of one and the same load. */
async function exportsOf(paths, options) {
  const text = [
    ...paths.map((path, at) => `export * as file${at} from "${path}";`),
    'export * from "./command-table.js";',
  ];
  const { outputFiles } = await build({
    ...options,
    format: "cjs",
    stdin: { contents: text.join("\n"), resolveDir: folder },
    outdir: "dist",
    define: { ...options.define, "import.meta.url": JSON.stringify(import.meta.url) },
    write: false,
  });
  const module = { exports: {} };
  new Function("require", "module", "exports", outputFiles[0].text)(
    createRequire(import.meta.url),
    module,
    module.exports,
  );
  return module.exports;
}
