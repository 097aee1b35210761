import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { unsearched } from "./searched.js";

/** `standard` is searched as well, `account` was seen in use. */
const check = (title: string, made: string[], expected: string[]) =>
  test(`[AWY1] ${title}`, () => {
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
check("with every folder there, all is searched", both, []);
check(
  "a link to a folder counts as one",
  ["disk", "standard/projects", "account", "account/projects -> disk"],
  [],
);
check("a standard folder that is not there was never used", ["account/projects"], []);
check("an account that is not there is away", ["standard/projects"], ["account/projects"]);
check(
  "in an account that a client runs in nobody has said a word yet",
  ["standard/projects", "account/sessions"],
  [],
);
check("an account with nothing in it is away", ["standard/projects", "account"], ["account/projects"]);
check(
  "a standard folder with nothing in it is away",
  ["account/projects", "standard"],
  ["standard/projects"],
);
check(
  "a link that leads nowhere is away",
  ["standard/projects", "account", "account/projects -> disk"],
  ["account/projects"],
);
check(
  "a standard folder whose link leads nowhere is away",
  ["account/projects", "standard -> disk"],
  ["standard/projects"],
);
check(
  "a folder of one project whose link leads nowhere is away",
  [...both, "account/projects/-work -> disk"],
  ["account/projects/-work"],
);

test("[AWY1] while no account is known, a folder that is not there may be where all was", () => {
  const { root } = testHome();
  const [own, standard] = [join(root, "own"), join(root, "standard")];
  mkdirSync(join(standard, "projects"), { recursive: true });
  expect(unsearched([own, standard], [])).toEqual([join(own, "projects")]);
  expect(unsearched([standard], [])).toEqual([]);
});

test("[AWY1] where no client ever ran, its folder is named", () => {
  expect(unsearched(["/nowhere/at-all"], [])).toEqual(["/nowhere/at-all/projects"]);
});
