// The fixture programs, bundled: a start through a loader of TypeScript takes a second of processor time.

import { basename } from "node:path";
import { beforeAll } from "vitest";
import { bundled } from "./bundled.js";

/** Call it at the top of a test file, with paths below test/fixtures; its result is valid inside tests. */
export function fixturePrograms(...paths: string[]): (name: string) => string {
  const programs = new Map<string, string>();
  beforeAll(async () => {
    for (const path of paths) programs.set(basename(path), await fixtureProgram(path));
  });
  return (name) => programs.get(name)!;
}

/** Bundled once per process. */
export function fixtureProgram(path: string): Promise<string> {
  const known =
    built.get(path) ?? bundled([`test/fixtures/${path}.ts`], "0.0.0").then(([program]) => program!);
  built.set(path, known);
  return known;
}

const built = new Map<string, Promise<string>>();
