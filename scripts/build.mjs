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
import { exportNames, layerNames, layersOf, layerText } from "./layers.mjs";
import { frequent, looking, rare, usual, withTrial } from "./trial.mjs";
import { modulesUsed } from "./used-modules.mjs";

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
// The trial of the command reads transcripts.
await buildScanner();
copySqlite();
const command = await buildCommand();
await buildStart(command);
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
 * The files of the command, lowest first (layers.mjs). Their names have a hash of the contents, so that code and compile
 * cache always belong to the same build.
 */
async function buildCommand() {
  const options = {
    ...common,
    define: { ...common.define, "import.meta.url": "fileUrl" },
    // Code compiled from a cache cannot use node's import, and everything except node's own modules is bundled.
    supported: { "dynamic-import": false },
    plugins: [
      ...besides.map(({ source, file }) => fileBeside(source, basename(file))),
      await commandTable(common),
      lateWidths(),
    ],
  };
  const entry = "src/main.ts";
  const whole = { ...options, format: "cjs", entryPoints: [entry], outdir: "dist", write: false };
  const { outputFiles, metafile } = await build({ ...whole, minifyWhitespace: false });
  const used = modulesUsed(wrapped(outputFiles[0].text), [looking, frequent, usual]);
  const layers = layersOf(metafile, entry, used);
  const names = await exportNames(metafile, options);
  const texts = await Promise.all(layers.map((_, at) => layerText(layers, at, names, options)));
  return texts.map((text, at) => {
    const contents = wrapped(text);
    const hash = createHash("sha256").update(contents).digest("hex").slice(0, 8);
    const path = `dist/command-${layerNames[at]}-${hash}.cjs`;
    writeWhole(path, contents);
    return path;
  });
}

/** In a function, as node wraps every module. */
function wrapped(text) {
  const fileUrl = 'const fileUrl=require("node:url").pathToFileURL(__filename).href;';
  const lazy = "const lazily=name=>{let it;return new Proxy({},{get:(_,key)=>(it??=require(name))[key]})};";
  const late = /=require\(("node:(?:child_process|crypto|net|os|readline|timers\/promises|zlib)")\)/g;
  // Plain ASCII takes half the memory, and needs no decoding. Few commands use the modules that load late.
  const ascii = text.replace(late, "=lazily($1)").replace(/[^\0-\x7f]/g, escaped);
  return `(function(exports,require,module,__filename,__dirname,layer){${fileUrl}${lazy}\n${ascii}\n})`;
}

/** The tables for the widths of foreign letters are made when somebody first measures one. */
function lateWidths() {
  return {
    name: "late widths",
    setup({ onLoad }) {
      onLoad({ filter: /\/fast-string-width\/dist\/index\.js$/, namespace: "file" }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        const late = "const $1=(...given)=>require($2).default(...given);";
        const contents = text.replace(/import (\w+) from ('.+?');/, late);
        if (contents === text) throw new Error(`${path} imports in another way`);
        return { contents };
      });
    },
  };
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

/** The bin, which names the command's files. */
async function buildStart(files) {
  const start = await startText(files, false);
  if (!files.every((path) => existsSync(cacheOf(path)))) compile(start, await startText(files, true));
  for (const path of files)
    if (!existsSync(cacheOf(path))) throw new Error(`no command of the trial loads ${path}`);
  writeWhole("dist/main.cjs", start);
  chmodSync("dist/main.cjs", 0o755);
}

function cacheOf(path) {
  return path.replace(/cjs$/, "cache");
}

async function startText(files, compiles) {
  const names = files.map((path) => basename(path));
  const { outputFiles } = await build({
    ...common,
    format: "cjs",
    entryPoints: ["src/start.ts"],
    outdir: "dist",
    define: { HIVEMIND_FILES: JSON.stringify(names), HIVEMIND_COMPILES: String(compiles) },
    write: false,
  });
  return outputFiles[0].text;
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

/** Makes the compile caches. Each run adds to the cache of the run before. */
function compile(start, compilingStart) {
  withTrial(start, (run) => {
    for (const words of [...looking, ...frequent, ...usual, ...rare]) run(compilingStart, words);
  });
}

/** Removes old files last, and those of a command only after an hour, for a command that is just starting. */
function sweep(written) {
  const isPacked = process.argv.includes("--types");
  const hourAgo = Date.now() - 3_600_000;
  const own = [
    "dist/main.cjs",
    "dist/sqlite.cjs",
    ...command.flatMap((path) => [path, cacheOf(path)]),
    ...besides.map(({ file }) => file),
  ];
  const kept = new Set([...written, ...own]);
  for (const path of readdirSync("dist").map((name) => `dist/${name}`)) {
    if (!/\.(?:c?js|cache)$/.test(path) || kept.has(path)) continue;
    if (isPacked || !/\/(?:command|mcp|web)-/.test(path) || statSync(path).mtimeMs < hourAgo) rmSync(path);
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
