// Bundles the command, the library, the demo agent and the web page into dist/. `--types` also writes the declarations.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { commandTable } from "./command-table.mjs";

// .ci/run builds once for all its suites.
if (process.env.HIVEMIND_BUILT === "1") process.exit();

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const { version } = JSON.parse(readFileSync("package.json", "utf8"));
mkdirSync("dist", { recursive: true });

const common = {
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20.19",
  // Less to parse at every start. Names stay, so that stacks in bug reports are readable.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "eof",
  define: { HIVEMIND_VERSION: JSON.stringify(version) },
  metafile: true,
  logLevel: "warning",
};

// Nearly all of them is foreign code, which few commands load: the protocols of `mcp`, of `serve` and of a fleet.
const besides = [
  { source: "src/mcp/protocol.ts", file: await buildBeside("mcp", "src/mcp/protocol.ts") },
  { source: "src/web/http.ts", file: await buildBeside("web", "src/web/http.ts") },
  { source: "src/nats/client.ts", file: await buildBeside("nats", "src/nats/client.ts") },
];
const results = await Promise.all([
  build({ ...common, entryPoints: { index: "src/index.ts" }, outdir: "dist" }),
  // Separate programs: the demo agent, and the worker threads that read and search transcripts.
  build({
    ...common,
    entryPoints: {
      "demo-agent": "demo-agent/main.ts",
      "lines-worker": "src/agents/claude/transcript/lines-worker.ts",
      "codex-lines-worker": "src/agents/codex/transcript/lines-worker.ts",
      "search-worker": "src/fleet/sessions/search-worker.ts",
    },
    outdir: "dist",
  }),
]);
await buildScanner();
copySqlite();
await buildCommand();
await buildSchema();
await buildPage();
sweep(new Set(results.flatMap((result) => Object.keys(result.metafile.outputs))));
if (process.argv.includes("--types")) {
  execFileSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json"], {
    stdio: "inherit",
  });
}

/** A file beside the command, which loads when a command first needs it. */
async function buildBeside(name, source) {
  const { outputFiles } = await build({
    ...common,
    format: "cjs",
    entryPoints: { [name]: source },
    outdir: "dist",
    entryNames: "[name]-[hash]",
    minifyIdentifiers: true,
    outExtension: { ".js": ".cjs" },
    write: false,
  });
  const [{ path, text }] = outputFiles;
  writeWhole(path, text);
  return `dist/${basename(path)}`;
}

/**
 * The command, its help page and the bin that loads one of them. An import() in the command is a function that runs the
 * module on its first call. The help page needs the code of no command, so it has none of the late imports.
 */
async function buildCommand() {
  const options = {
    ...common,
    format: "cjs",
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    write: false,
  };
  const beside = besides.map(({ source, file }) => fileBeside(source, basename(file)));
  const table = await commandTable(common);
  const faces = { command: [...beside, table], help: [withoutLateImports(), table] };
  for (const [name, plugins] of Object.entries(faces)) {
    const { outputFiles } = await build({
      ...options,
      entryPoints: { [name]: "src/main.ts" },
      define: { ...common.define, "import.meta.url": "fileUrl" },
      // A require() is quicker than node's import of its own modules and of the files beside.
      supported: { "dynamic-import": false },
      plugins,
    });
    writeWhole(`dist/${name}.cjs`, readySoon(outputFiles[0].text));
  }
  const external = Object.keys(faces).map((name) => `./${name}.cjs`);
  const bin = await build({ ...options, entryPoints: { main: "src/start.ts" }, external });
  writeWhole("dist/main.cjs", bin.outputFiles[0].text);
  chmodSync("dist/main.cjs", 0o755);
}

function withoutLateImports() {
  return {
    name: "without late imports",
    setup({ onResolve }) {
      onResolve({ filter: /./ }, ({ kind }) => (kind === "dynamic-import" ? { external: true } : null));
    },
  };
}

/** Plain ASCII takes half the memory and needs no decoding. Few commands use the modules of node that load late. */
function readySoon(text) {
  const lazily = "const lazily=name=>{let it;return new Proxy({},{get:(_,key)=>(it??=require(name))[key]})};";
  const fileUrl = 'const fileUrl=require("node:url").pathToFileURL(__filename).href;';
  const late = /=require\(("node:(?:child_process|crypto|net|os|readline|timers\/promises|zlib)")\)/g;
  return `"use strict";${lazily}${fileUrl}${text.replace(late, "=lazily($1)").replace(/[^\0-\x7f]/g, escaped)}`;
}

/** An import of this source is an import of a built file, which lies beside the importing one. */
function fileBeside(source, file) {
  const name = basename(source, ".ts");
  return {
    name: "file beside",
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`/${name}\\.js$`) }, ({ path, resolveDir }) => {
        const isMeant = join(resolveDir, path).endsWith(source.replace(/ts$/, "js"));
        return isMeant ? { path: `./${file}`, external: true } : null;
      });
    },
  };
}

/** The library that reads databases, as it is: it finds its WebAssembly by name in its own folder. */
function copySqlite() {
  const from = "node_modules/node-sqlite3-wasm";
  const text = readFileSync(`${from}/dist/node-sqlite3-wasm.js`, "utf8");
  const license = readFileSync(`${from}/LICENSE`, "utf8").trim();
  writeWhole("dist/sqlite.cjs", `/*! node-sqlite3-wasm\n${license}\n*/\n${text}`);
  writeWhole("dist/node-sqlite3-wasm.wasm", readFileSync(`${from}/dist/node-sqlite3-wasm.wasm`));
}

/** The functions that scan transcripts. */
async function buildScanner() {
  const { default: asc } = await import("assemblyscript/asc");
  const target = `dist/.scan-${process.pid}.wasm`;
  const options = ["--enable", "simd", "--runtime", "stub", "--noAssert", "--importMemory", "-O3"];
  const { error, stderr } = await asc.main([
    "src/agents/claude/transcript/simd/entry.ts",
    ...options,
    "-o",
    target,
  ]);
  if (error) throw new Error(`${error.message}\n${stderr}`);
  renameSync(target, "dist/scan.wasm");
}

/** The JSON schema for editors. */
async function buildSchema() {
  const entryPoints = ["src/teamfile/schema.ts"];
  const { outputFiles } = await build({ ...common, entryPoints, outdir: "dist", write: false });
  const { teamFileSchema } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  writeWhole("dist/hivemind.schema.json", `${JSON.stringify(teamFileSchema, null, 2)}\n`);
}

/** The web page. It takes seconds, so an unchanged page is not built again. */
async function buildPage() {
  const sources = ["web", "src/web"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.includes(".test."))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const hash = createHash("sha256");
  for (const path of [...sources.sort(), "package-lock.json"])
    hash.update(`${path}\0`).update(readFileSync(path));
  const [mark, built] = ["dist/web/.built-from", hash.digest("hex")];
  if (existsSync(mark) && readFileSync(mark, "utf8") === built) return;
  const vite = await import("vite");
  await vite.build({ configFile: "web/vite.config.ts" });
  writeWhole(mark, built);
}

/** Removes old files last, and those that a running command may still load only after an hour. */
function sweep(written) {
  const isPacked = process.argv.includes("--types");
  const hourAgo = Date.now() - 3_600_000;
  const own = [
    "dist/main.cjs",
    "dist/command.cjs",
    "dist/help.cjs",
    "dist/sqlite.cjs",
    ...besides.map(({ file }) => file),
  ];
  const kept = new Set([...written, ...own]);
  for (const path of readdirSync("dist").map((name) => `dist/${name}`)) {
    if (!/\.(?:c?js|cache)$/.test(path) || kept.has(path)) continue;
    if (isPacked || !/\/(?:mcp|web|nats)-/.test(path) || statSync(path).mtimeMs < hourAgo) rmSync(path);
  }
}

function writeWhole(path, text) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

/** Valid wherever a character may be in source: in strings, templates, regular expressions and names. */
function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
