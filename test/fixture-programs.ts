// The fixture programs, bundled: a start through a loader of TypeScript takes a second of processor time.

import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { beforeAll } from "vitest";

/** Call it at the top of a test file, with paths below test/fixtures; its result is valid inside tests. */
export function fixturePrograms(...paths: string[]): (name: string) => string {
  const programs = new Map<string, string>();
  beforeAll(async () => {
    for (const path of paths) programs.set(basename(path), await fixtureProgram(path));
  });
  return (name) => programs.get(name)!;
}

/** Bundled once per process. */
export function fixtureProgram(path: string): Promise<string> {
  const known = built.get(path) ?? bundled(path);
  built.set(path, known);
  return known;
}

const built = new Map<string, Promise<string>>();

async function bundled(path: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [inProject(`test/fixtures/${path}.ts`)],
    ...{ bundle: true, platform: "node", format: "esm", target: "node20", write: false, logLevel: "error" },
    define: {
      HIVEMIND_VERSION: '"0.0.0"',
      // Its other threads and the demo agent are those of the built command.
      "import.meta.url": JSON.stringify(pathToFileURL(inProject("dist/main.cjs")).href),
    },
    // For CommonJS inside.
    banner: {
      js: 'import { createRequire as requireIn } from "node:module"; const require = requireIn(process.cwd() + "/");',
    },
  });
  const program = inProject(`node_modules/.cache/hivemind/fixtures/${path}.mjs`);
  mkdirSync(dirname(program), { recursive: true });
  // Renamed into place: another process may be starting it.
  writeFileSync(`${program}.${process.pid}`, outputFiles[0]!.contents);
  renameSync(`${program}.${process.pid}`, program);
  return program;
}

function inProject(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}
