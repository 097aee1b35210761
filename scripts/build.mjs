// Bundles the command, the library and the demo agent into dist/. `--types` also writes the declarations.

import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // Less to parse at every start. Names stay, so that a stack in a bug report can be read.
  minifyWhitespace: true,
  minifySyntax: true,
  // Bundled CommonJS packages ask for node's own modules by `require`, which a module does not have.
  banner: {
    js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
  },
  legalComments: "eof",
  define: { HIVEMIND_VERSION: JSON.stringify(version) },
  metafile: true,
  logLevel: "warning",
};

const results = await Promise.all([
  build({
    ...common,
    entryPoints: { main: "src/main.ts", index: "src/index.ts" },
    outdir: "dist",
    splitting: true,
    chunkNames: "[name]-[hash]",
  }),
  // Programs of their own: the demo agent, and the second thread that reads transcripts.
  build({
    ...common,
    entryPoints: {
      "demo-agent": "src/agents/demo/client/main.ts",
      "lines-worker": "src/agents/claude/lines-worker.ts",
    },
    outdir: "dist",
  }),
]);
// Old chunks go last: a build never leaves a moment in which the command is missing.
const written = new Set(results.flatMap((result) => Object.keys(result.metafile.outputs)));
for (const name of readdirSync("dist")) {
  if (name.endsWith(".js") && !written.has(`dist/${name}`)) rmSync(`dist/${name}`);
}
chmodSync("dist/main.js", 0o755);
if (process.argv.includes("--types")) {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}
