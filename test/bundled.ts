// Bundles programs of the tests into the cache of the project.

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

/** The paths of the programs, in the order of their sources (`test/…ts`). */
export async function bundled(sources: readonly string[], version: string): Promise<string[]> {
  const { outputFiles } = await build({
    entryPoints: sources.map(inProject),
    outbase: inProject("test"),
    outdir: inProject("node_modules/.cache/hivemind"),
    outExtension: { ".js": ".mjs" },
    ...{
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20.19",
      write: false,
      logLevel: "error",
    },
    // Their other threads and the demo agent are those of the built command.
    define: {
      HIVEMIND_VERSION: JSON.stringify(version),
      "import.meta.url": JSON.stringify(pathToFileURL(inProject("dist/main.cjs")).href),
    },
    // For CommonJS inside.
    banner: {
      js: 'import { createRequire as requireIn } from "node:module"; const require = requireIn(process.cwd() + "/");',
    },
  });
  for (const { path, contents } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    // Renamed into place: another suite may be starting it.
    writeFileSync(`${path}.${process.pid}`, contents);
    renameSync(`${path}.${process.pid}`, path);
  }
  return sources.map(programOf);
}

/** Where the program of this source is, once it was bundled. */
export function programOf(source: string): string {
  return inProject(source.replace(/^test\//, "node_modules/.cache/hivemind/").replace(/\.ts$/, ".mjs"));
}

export function inProject(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
