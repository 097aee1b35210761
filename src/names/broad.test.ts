import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { broadness } from "./broad.js";

test("the root and the home folder are broad, for any spelling of HOME, and nothing else is", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "hm-broad-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const home = join(root, "home");
  mkdirSync(join(home, "project"), { recursive: true });
  symlinkSync(home, join(root, "link"));
  expect(broadness("/", {})).toBe("the root folder");
  for (const HOME of [home, `${home}/`, join(root, "link")]) {
    expect(broadness(home, { HOME })).toBe("your home folder");
    expect(broadness(join(home, "project"), { HOME })).toBeNull();
  }
  for (const env of [{}, { HOME: "" }]) expect(broadness(home, env)).toBeNull();
});
