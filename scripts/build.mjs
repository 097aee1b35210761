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
  legalComments: "eof",
  define: { HIVEMIND_VERSION: JSON.stringify(version) },
  metafile: true,
  logLevel: "warning",
};

// The command is one CommonJS file: node starts it 0.1 × `node -e 0` sooner than a module, and every chunk would cost
// a millisecond more. What a command imports late is in the same file, but only run when it is asked for.
const fileUrl = 'const fileUrl=require("node:url").pathToFileURL(__filename).href;';
const results = await Promise.all([
  build({
    ...common,
    format: "cjs",
    entryPoints: { main: "src/main.ts" },
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    banner: { js: fileUrl },
    define: { ...common.define, "import.meta.url": "fileUrl" },
  }),
  build({ ...common, entryPoints: { index: "src/index.ts" }, outdir: "dist" }),
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
// What is not built any more goes last: a build never leaves a moment in which the command is missing.
const written = new Set(results.flatMap((result) => Object.keys(result.metafile.outputs)));
for (const name of readdirSync("dist")) {
  if (/\.c?js$/.test(name) && !written.has(`dist/${name}`)) rmSync(`dist/${name}`);
}
chmodSync("dist/main.cjs", 0o755);
if (process.argv.includes("--types")) {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}
