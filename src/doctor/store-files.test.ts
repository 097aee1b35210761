import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { whyUnwritable } from "./store-files.js";

test("whether a folder is writable, and why not", () => {
  const { root, work } = testHome();
  const [file, nowhere, there] = ["file", "nowhere", "there"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, "");
  mkdirSync(join(root, "real"));
  symlinkSync(join(root, "none"), nowhere);
  symlinkSync(join(root, "real"), there);
  for (const fine of [work, join(work, "a", "b"), there, join(there, "a")])
    expect(whyUnwritable(fine)).toBeNull();
  expect(whyUnwritable(file)).toBe(`${file} is not a folder`);
  expect(whyUnwritable(join(file, "a"))).toContain("not writable");
  for (const path of [nowhere, join(nowhere, "a")])
    expect(whyUnwritable(path)).toBe(`${nowhere} is a broken link`);
});
