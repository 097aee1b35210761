// Which program `hivemind` and `hm` are in the user's shell. Both names have other owners: Homebrew's `hivemind` runs
// Procfiles. The hints of this program say `hivemind`, so another program of that name would get them.
//
// A program is known by its real path and by its files. None is ever run.

import { readFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { readBeginning } from "../base/files/atomic-file.js";
import { onPath } from "../base/files/on-path.js";
import { realPath } from "../base/files/real-path.js";
import { jsonObject } from "../base/text/json-object.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";
import { type Check, type Found, info, warning } from "./check.js";

/**
 * `same`: the program that runs now. `installed`: another installation of hivemind. `unclear`: a script that starts
 * hivemind, or a version manager's shim. `another`: something else.
 */
export type NamedProgram =
  | { path: string; is: "same" | "unclear" | "another" }
  | { path: string; is: "installed"; version: string; prefix: string };

interface Self {
  path: string;
  version: string;
}

export const ownNames: Check = {
  id: "names",
  title: "no other program is called hivemind or hm",
  look({ env, program }) {
    const path = realPath(program);
    const version = path === null ? null : versionOf(path);
    // The library may run in any program.
    if (path === null || version === null) return [];
    const known = (name: string) => onPath(name, env).map((each) => named(each, path));
    return nameFindings({ hivemind: known("hivemind"), hm: known("hm") }, { path, version });
  },
};

/** Each name's programs in the order of PATH. */
export function nameFindings(
  { hivemind, hm }: Record<"hivemind" | "hm", readonly NamedProgram[]>,
  self: Self,
): Found[] {
  const inPath = hivemind.find(({ is }) => is === "same")?.path ?? null;
  const [first] = hivemind;
  const found =
    first?.is === "same" ? olderOnes(first.path, hivemind, self) : comesFirst(first, inPath, self);
  const [short] = hm;
  if (short?.is !== "another") return found;
  const typed = first?.is === "same" ? "hivemind" : (inPath ?? `node ${shellWord(self.path)}`);
  return [...found, info(`hm is another program: ${short.path}`, `alias hm=${shellWord(typed)}`)];
}

function comesFirst(first: NamedProgram | undefined, inPath: string | null, self: Self): Found[] {
  const own = inPath ?? self.path;
  const cure = (alone: string) => (inPath === null ? alone : putFirst(inPath));
  if (first?.is === "another") {
    const alias = `alias hivemind=${shellWord(`node ${shellWord(self.path)}`)}`;
    const what = `in your shell, hivemind is another program: ${first.path}; this one is ${own}`;
    return [warning(what, cure(alias))];
  }
  if (first?.is === "installed" && first.version !== self.version) {
    const what = `in your shell, hivemind is version ${first.version} (${first.path}); this one is ${self.version} (${own})`;
    return [warning(what, cure(uninstall(first.prefix)))];
  }
  return [];
}

function olderOnes(used: string, programs: readonly NamedProgram[], self: Self): Found[] {
  return programs.flatMap((each) => {
    if (each.is !== "installed" || each.version === self.version) return [];
    const what = `hivemind is installed twice: ${used} (${self.version}) is used, not ${each.path} (${each.version})`;
    return info(what, uninstall(each.prefix));
  });
}

/** A shell remembers where it found a command. */
function putFirst(path: string): string {
  return `export PATH=${shellWord(dirname(path))}${delimiter}"$PATH"; hash -r`;
}

function uninstall(prefix: string): string {
  return `npm uninstall --global --prefix ${shellWord(prefix)} hivemind; hash -r`;
}

function named(path: string, self: string): NamedProgram {
  const real = realPath(path);
  if (real === self) return { path, is: "same" };
  const version = real === null ? null : versionOf(real);
  // <prefix>/lib/node_modules/hivemind/dist/main.cjs
  if (version !== null) return { path, is: "installed", version, prefix: join(real!, "../../../../..") };
  const isShim = /\/shims\/|-shim$/.test(`${path}\n${real}`);
  return { path, is: isShim || isScriptFor(self, path) ? "unclear" : "another" };
}

/** The version of the installation whose command this file is; null for any other file. */
function versionOf(real: string): string | null {
  try {
    const about = jsonObject(readFileSync(join(real, "../../package.json"), "utf8"));
    const isOurs = about?.name === "hivemind" && real.endsWith("/dist/main.cjs");
    return isOurs && typeof about.version === "string" ? about.version : null;
  } catch {
    return null;
  }
}

/** Some installers write a script of a few lines, and so does the demo for its own shells. */
function isScriptFor(self: string, path: string): boolean {
  const text = readBeginning(path, limits.scriptHeadBytes)?.toString("utf8") ?? "";
  return text.startsWith("#!") && (text.includes(self) || text.includes("/hivemind/dist/main.cjs"));
}
