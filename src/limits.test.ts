import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { limits } from "./limits.js";

test("no limit has the name of another one: the last would win", async () => {
  const folder = new URL("limits/", import.meta.url);
  const names: string[] = [];
  for (const file of readdirSync(folder))
    for (const part of Object.values(await import(new URL(file, folder).href)))
      names.push(...Object.keys(part as object));
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  expect(names.sort()).toEqual(Object.keys(limits).sort());
});
