// Which imports the built command can do late. Most modules that a command imports define functions that the command
// never calls. If a module imports only functions from such a module, it gets functions that load the module when
// somebody first calls one of them.

import { readFileSync } from "node:fs";

/** Every module that these modules need at once. `used`: the modules whose functions the tried commands called. */
export function neededAtOnce(inputs, entries, used) {
  const found = new Set();
  const add = (path) => {
    if (found.has(path) || !(path in inputs)) return;
    found.add(path);
    for (const imported of staticImports(inputs, path))
      if (used.has(imported) || !isLate(inputs, path, imported)) add(imported);
  };
  entries.forEach(add);
  return found;
}

/** The names that a module exports as function declarations: a function in front of them changes nothing. */
export function exportedFunctions(path) {
  return [...source(path).matchAll(/^export (?:async )?function\*? ?(\w+)/gm)].map(([, name]) => name);
}

function staticImports(inputs, path) {
  const imports = inputs[path].imports.filter(({ kind }) => kind !== "dynamic-import");
  return new Set(imports.map((each) => each.path));
}

function isLate(inputs, path, imported) {
  if (!path.startsWith("src/") || !imported.startsWith("src/")) return false;
  const functions = new Set(exportedFunctions(imported));
  const statements = inputs[path].imports.filter(
    (each) => each.path === imported && each.kind === "import-statement",
  );
  return statements.every(({ original }) => {
    const names = importedNames(path, original);
    return names?.every((name) => functions.has(name)) ?? false;
  });
}

/** Null if it imports anything but names. */
function importedNames(path, specifier) {
  const statement = /^(import|export) (type )?([^;]*?) from "([^"]+)";$|^import "([^"]+)";$/gm;
  const names = [];
  for (const [, verb, type, what, from, bare] of source(path).matchAll(statement)) {
    if ((from ?? bare) !== specifier || type !== undefined) continue;
    const list = verb === "import" ? /^\{([^}]*)\}$/s.exec(what)?.[1] : undefined;
    if (list === undefined) return null;
    const each = list.split(",").map((name) => name.trim());
    names.push(
      ...each.filter((name) => name !== "" && !name.startsWith("type ")).map((name) => name.split(" as ")[0]),
    );
  }
  return names.length === 0 ? null : names;
}

const sources = new Map();
function source(path) {
  if (!sources.has(path)) sources.set(path, readFileSync(path, "utf8"));
  return sources.get(path);
}
