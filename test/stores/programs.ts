// The fixture programs, bundled once per test file into a separate folder.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

/** Call it at the top of a test file; its result is valid inside tests. */
export function fixturePrograms(...names: string[]): (name: string) => string {
  let folder = "";
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "hm-programs-"));
    await build({
      entryPoints: names.map((name) => new URL(`../fixtures/stores/${name}.ts`, import.meta.url).pathname),
      bundle: true,
      platform: "node",
      format: "esm",
      target: "node20",
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      logLevel: "error",
    });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, `${name}.mjs`);
}
