// Bundles the command, the library, the demo agent and the web page into dist/. `--types` also writes the declarations.

import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

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

// Nearly all of them is foreign code, which no other command loads: the protocols of `hivemind mcp` and `hivemind serve`.
const besides = [
  { source: "src/mcp/protocol.ts", file: await buildBeside("mcp", "src/mcp/protocol.ts") },
  { source: "src/web/http.ts", file: await buildBeside("web", "src/web/http.ts") },
];
const command = await buildCommand();
const results = await Promise.all([
  build({ ...common, entryPoints: { index: "src/index.ts" }, outdir: "dist" }),
  // Separate programs: the demo agent, and the worker threads that read and search transcripts.
  build({
    ...common,
    entryPoints: {
      "demo-agent": "demo-agent/main.ts",
      "lines-worker": "src/agents/claude/transcript/lines-worker.ts",
      "search-worker": "src/fleet/sessions/search-worker.ts",
    },
    outdir: "dist",
  }),
]);
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
 * The command is one CommonJS file: late imports are in it too, but run only when needed. Its name has a hash of its
 * contents, so that code and compile cache always belong to the same build.
 */
async function buildCommand() {
  const fileUrl = 'const fileUrl=require("node:url").pathToFileURL(__filename).href;';
  const lazy = "const lazily=name=>new Proxy({},{get:(_,key)=>require(name)[key]});";
  const { outputFiles } = await build({
    ...common,
    format: "cjs",
    entryPoints: ["src/main.ts"],
    outdir: "dist",
    entryNames: "command-[hash]",
    outExtension: { ".js": ".cjs" },
    banner: { js: fileUrl + lazy },
    define: { ...common.define, "import.meta.url": "fileUrl" },
    // Code compiled from a cache cannot use node's import, and everything except node's own modules is bundled.
    supported: { "dynamic-import": false },
    plugins: besides.map(({ source, file }) => fileBeside(source, basename(file))),
    write: false,
  });
  const [{ path, text: eager }] = outputFiles;
  // Loading them takes a tenth of a short command, and few commands use them.
  const text = eager.replace(/=require\(("node:(?:crypto|os|timers\/promises|zlib)")\)/g, "=lazily($1)");
  // Plain ASCII takes half the memory, and needs no decoding. Wrapped in a function, as node wraps every module.
  const head = "(function(exports,require,module,__filename,__dirname){";
  writeWhole(path, `${head}${text.replace(/[^\0-\x7f]/g, escaped)}\n})`);
  return `dist/${basename(path)}`;
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

/** The bin, which names the command's file. */
async function buildStart(path) {
  const start = await startText(path, false);
  if (!existsSync(path.replace(/cjs$/, "cache"))) compile(start, await startText(path, true));
  writeWhole("dist/main.cjs", start);
  chmodSync("dist/main.cjs", 0o755);
}

async function startText(path, compiles) {
  const { outputFiles } = await build({
    ...common,
    format: "cjs",
    entryPoints: ["src/start.ts"],
    outdir: "dist",
    define: { HIVEMIND_COMMAND: JSON.stringify(basename(path)), HIVEMIND_COMPILES: String(compiles) },
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

/**
 * Makes the compile cache with a look at one pane and two known conversations, which runs the parts that most
 * commands need. Each run adds to the cache of the run before.
 */
function compile(start, compilingStart) {
  const home = mkdtempSync(join(tmpdir(), "hivemind-build-"));
  const program = `dist/.compile-${process.pid}.cjs`;
  const socket = join(home, "tmux");
  const env = { HOME: home, PATH: process.env.PATH, HIVEMIND_TMUX_SOCKET: socket };
  const tmux = (...args) => {
    // Without tmux there is no pane to look at.
    spawnSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env, stdio: "ignore" });
  };
  const run = (text, word) => {
    writeFileSync(program, text);
    execFileSync(process.execPath, [program, word], { env, stdio: ["ignore", "ignore", "inherit"] });
  };
  try {
    makeConversations(home);
    tmux("new-session", "-d", "cat");
    run(start, "sessions");
    run(compilingStart, "sessions");
    run(compilingStart, "status");
  } finally {
    tmux("kill-server");
    rmSync(program, { force: true });
    rmSync(home, { recursive: true, force: true });
  }
}

/** A conversation and its copy, in the command's folder, long enough that their readings are cached. */
function makeConversations(home) {
  const folder = join(home, ".claude/projects/-a");
  mkdirSync(folder, { recursive: true });
  const record = { type: "user", uuid: "m1", cwd: process.cwd(), message: { content: "a".repeat(1024) } };
  const lines = `${JSON.stringify(record)}\n`.repeat(1024);
  const hourAgo = Date.now() / 1000 - 3600;
  for (const digit of [1, 2]) {
    const path = join(folder, `0000000${digit}-0000-4000-8000-000000000000.jsonl`);
    writeFileSync(path, lines);
    utimesSync(path, hourAgo, hourAgo);
  }
}

/** Removes old files last, and those of a command only after an hour, for a command that is just starting. */
function sweep(written) {
  const isPacked = process.argv.includes("--types");
  const hourAgo = Date.now() - 3_600_000;
  const own = [
    "dist/main.cjs",
    command,
    command.replace(/cjs$/, "cache"),
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
