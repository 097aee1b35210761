// The command as a few files instead of one, because a run that loads less starts sooner: V8 takes a millisecond for
// each few hundred kilobytes of functions, even if nobody calls them.
//
// - `front` has the command line and its help.
// - `look` has what `session current` called when the build tried it.
// - `core` has what the other most frequent commands called.
// - `usual` has what other short commands called, and what all of these import without calling it.
// - `rest` has everything else.
//
// A file imports from itself and from files before it. From a file behind it, it imports late: modules by a late import,
// functions by functions that load their module when somebody calls them (late-functions.mjs). Every module is in exactly
// one file and runs once, when somebody first imports it or calls one of its functions. Loading a file loads those before
// it. So a command of `rest` has loaded all files when it starts: replacing the program does not break a command that
// runs for hours. Only short commands are tried.

import { relative } from "node:path";
import { build } from "esbuild";
import { exportedFunctions, neededAtOnce } from "./late-functions.mjs";

export const layerNames = ["front", "look", "core", "usual", "rest"];

/** The modules of each file, lowest first. `used`: the modules whose functions each group of tried commands called. */
export function layersOf({ inputs }, entry, [looking, frequent, usual]) {
  const often = new Set([...looking, ...frequent]);
  const layers = [
    neededAtOnce(inputs, [entry], looking),
    neededAtOnce(inputs, [entry, ...looking], looking),
    neededAtOnce(inputs, [entry, ...often], often),
    closure(inputs, [entry, ...often, ...usual]),
    new Set(Object.keys(inputs)),
  ];
  return layers.map((modules, at) => {
    const below = layers.slice(0, at);
    return [...modules].filter((path) => !below.some((lower) => lower.has(path))).sort();
  });
}

function closure(inputs, entries) {
  const found = new Set();
  const add = (path) => {
    if (found.has(path) || !(path in inputs)) return;
    found.add(path);
    for (const { path: imported, kind } of inputs[path].imports) if (kind !== "dynamic-import") add(imported);
  };
  entries.forEach(add);
  return found;
}

/** The text of one file. Its value is an object with a function for each module, which gives what the module exports. */
export async function layerText(layers, at, names, options) {
  const contents = layers[at].map((path) => `exports[${JSON.stringify(path)}]=()=>require("./${path}");`);
  const { outputFiles } = await build({
    ...options,
    format: "cjs",
    stdin: { contents: contents.join("\n"), resolveDir: process.cwd(), loader: "js" },
    outdir: "dist",
    metafile: false,
    plugins: [...options.plugins, otherLayers(layers, at, names)],
    write: false,
  });
  return lateExports(withEqualWrappers(outputFiles[0].text));
}

/**
 * esbuild wraps a module in an object whose only key is the module's path. V8 would make a shape of its own for each of
 * hundreds of keys, so all of them get the same one.
 */
function withEqualWrappers(text) {
  const equal = text.replace(/\b(__esm|__commonJS)\(\{"[^"]+"\(/g, "$1({run(");
  if (equal === text) throw new Error("esbuild wraps modules in another way");
  return equal;
}

/**
 * esbuild makes an object with a getter for each export of every module when the file loads. A run asks for few of
 * them, so each is made when somebody asks. A module whose object is also used inside the file keeps it.
 */
function lateExports(text) {
  const made = /var (\w+)=\{\};__export\(\1,(\{[^{}]*\})\);/g;
  const getters = new Map();
  const uses = new Map();
  for (const [, name, all] of text.matchAll(made)) getters.set(name, all);
  for (const [name] of text.matchAll(/\b\w+_exports\d*\b/g)) uses.set(name, (uses.get(name) ?? 0) + 1);
  const given = new Set([...text.matchAll(/__toCommonJS\((\w+)\)/g)].map(([, name]) => name));
  const isLate = (name) => getters.has(name) && given.has(name) && uses.get(name) === 3;
  const late = text
    .replace(made, (whole, name) => (isLate(name) ? "" : whole))
    .replace(/__toCommonJS\((\w+)\)/g, (whole, name) =>
      isLate(name) ? `__toCommonJS(exported(${getters.get(name)}))` : whole,
    );
  if (late === text) throw new Error("esbuild exports in another way");
  return `const exported=(all)=>{const made={};__export(made,all);return made};${late}`;
}

/** For esbuild: an import of a module of another file asks that file. */
function otherLayers(layers, own, names) {
  const layerOf = new Map(layers.flatMap((modules, at) => modules.map((path) => [path, at])));
  return {
    name: "other layers",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /./ }, async ({ path, importer, namespace, resolveDir, kind, pluginData }) => {
        if (pluginData === "asked" || path.startsWith("node:")) return null;
        const how = { importer, namespace, resolveDir, kind, pluginData: "asked" };
        const found = await resolve(path, how);
        const local = relative(process.cwd(), found.path);
        const at = layerOf.get(local) ?? own;
        if (found.external || at === own) return null;
        const isLate = at > own && kind === "import-statement";
        return { path: local, namespace: isLate ? `late-${at}` : `layer-${at}` };
      });
      for (const at of layers.keys()) {
        onLoad({ filter: /./, namespace: `layer-${at}` }, ({ path }) => {
          const asked = `layer(${at},${JSON.stringify(path)})`;
          const exported = names.get(path);
          // Variables, because a property of another module is slower. A module above is asked late, and has no names yet.
          const isPlain = at < own && exported !== undefined;
          const contents = isPlain ? variables(exported, asked) : `module.exports=${asked};`;
          return { contents, loader: "js" };
        });
        onLoad({ filter: /./, namespace: `late-${at}` }, ({ path }) => {
          return { contents: lateFunctions(path, `layer(${at},${JSON.stringify(path)})`), loader: "js" };
        });
      }
    },
  };
}

/** The first call puts the functions themselves into the variables: some are called thousands of times. */
function lateFunctions(path, asked) {
  const names = exportedFunctions(path);
  const late = names.map(
    (name) => `export let ${name}=(...given)=>{isLoaded||load();return ${name}(...given)};`,
  );
  return `let isLoaded=false;const load=()=>{({${names}}=${asked});isLoaded=true};${late.join("")}`;
}

function variables(names, asked) {
  const own = names.map((name, at) => [name, `export${at}`]);
  const read = own.map(([name, variable]) => `${name}:${variable}`);
  const written = own.map(([name, variable]) => `${variable} as ${name}`);
  return `const {${read}}=${asked};export{${written}};`;
}

/** What each ES module exports. */
export async function exportNames({ inputs }, options) {
  const paths = Object.keys(inputs).filter((path) => inputs[path].format === "esm");
  const { metafile } = await build({
    ...options,
    bundle: false,
    entryPoints: paths,
    outdir: "dist",
    write: false,
    metafile: true,
    plugins: [],
  });
  const outputs = Object.values(metafile.outputs).filter(({ exports }) => exports.length > 0);
  return new Map(outputs.map(({ entryPoint, exports }) => [entryPoint, exports]));
}
