// Bundles the server of commands once for a run of the suite.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const inProject = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
export const serverProgram = inProject("node_modules/.cache/hivemind/server.mjs");
/** The command, with the limits that HIVEMIND_TEST_LIMITS has as JSON. */
export const hurriedProgram = inProject("node_modules/.cache/hivemind/hurried.mjs");

export async function setup(): Promise<void> {
  const { version } = JSON.parse(readFileSync(inProject("package.json"), "utf8"));
  const { outputFiles } = await build({
    entryPoints: [inProject("test/commands/server.ts"), inProject("test/commands/hurried.ts")],
    outdir: inProject("node_modules/.cache/hivemind"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    write: false,
    logLevel: "error",
    // Its other threads and the demo agent are those of the built command.
    define: {
      HIVEMIND_VERSION: JSON.stringify(version),
      "import.meta.url": JSON.stringify(pathToFileURL(inProject("dist/main.cjs")).href),
    },
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
}
