import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { unsearched } from "./searched.js";

/** `standard` is searched too, `account` was seen in use. */
const check = (title: string, made: string[], expected: string[]) =>
  test(`${title}`, () => {
    const { root } = testHome();
    for (const each of made) {
      const [path, target] = each.split(" -> ") as [string, string?];
      if (target === undefined) mkdirSync(join(root, path), { recursive: true });
      else symlinkSync(join(root, target), join(root, path));
    }
    const [standard, account] = [join(root, "standard"), join(root, "account")];
    const paths = unsearched([standard, account], [account]);
    expect(paths).toEqual(expected.map((path) => join(root, path)));
  });

const both = ["standard/projects", "account/projects"];
check("with every folder present, all is searched", both, []);
check(
  "a link to a folder counts as a folder",
  ["disk", "standard/projects", "account", "account/projects -> disk"],
  [],
);
check("a missing standard folder was never used", ["account/projects"], []);
check("a missing account is unmounted", ["standard/projects"], ["account/projects"]);
check("an account in use may have no conversation yet", ["standard/projects", "account/sessions"], []);
check("an empty account is unmounted", ["standard/projects", "account"], ["account/projects"]);
check("an empty standard folder is unmounted", ["account/projects", "standard"], ["standard/projects"]);
check(
  "a broken link is unmounted",
  ["standard/projects", "account", "account/projects -> disk"],
  ["account/projects"],
);
check(
  "a standard folder behind a broken link is unmounted",
  ["account/projects", "standard -> disk"],
  ["standard/projects"],
);
check(
  "a project folder behind a broken link is unmounted",
  [...both, "account/projects/-work -> disk"],
  ["account/projects/-work"],
);

test("while no account is known, a missing folder may have held everything", () => {
  const { root } = testHome();
  const [own, standard] = [join(root, "own"), join(root, "standard")];
  mkdirSync(join(standard, "projects"), { recursive: true });
  expect(unsearched([own, standard], [])).toEqual([join(own, "projects")]);
  expect(unsearched([standard], [])).toEqual([]);
});

test("if no client ever ran, its folder is reported", () => {
  expect(unsearched(["/nowhere/at-all"], [])).toEqual(["/nowhere/at-all/projects"]);
});
