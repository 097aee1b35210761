import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fingerprint } from "./fingerprint.js";
import { openWorkspace } from "./workspace.js";

function folder(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hm-ws-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "clone"));
  symlinkSync(join(root, "clone"), join(root, "link"));
  return root;
}

test("every spelling of a folder is one workspace", () => {
  const root = folder();
  const clone = join(root, "clone");
  const spellings = [
    clone,
    `${clone}/`,
    join(root, "link"),
    `${root}/clone/../clone`,
    `${root}/link/.`,
    relative(process.cwd(), clone),
  ];
  for (const spelling of spellings) {
    expect(openWorkspace(spelling)).toEqual({
      path: clone,
      fingerprint: fingerprint(clone),
      isCanonical: true,
    });
  }
});

test("the default is the working directory", () => {
  expect(openWorkspace().path).toBe(realpathSync(process.cwd()));
});

test.each(["/nowhere/at all/", "", "relative/nowhere"])(
  "%j cannot be made canonical and is used as given",
  (path) => {
    expect(openWorkspace(path)).toEqual({ path, fingerprint: fingerprint(path), isCanonical: false });
  },
);
