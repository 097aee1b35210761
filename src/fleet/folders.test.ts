import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { searchedFolders } from "./folders.js";

/** All names are relative to one folder, in which the names in `made` exist; `.claude` is the standard one. */
const check = (title: string, facts: Facts, expected: string[]) =>
  test(title, () => {
    const { home } = testHome();
    for (const each of facts.made ?? []) {
      const [path, target] = each.split(" -> ") as [string, string?];
      if (target === undefined) mkdirSync(join(home, path));
      else symlinkSync(join(home, target), join(home, path));
    }
    const env = {
      HOME: home,
      ...(facts.own === undefined ? {} : { CLAUDE_CONFIG_DIR: `${home}/${facts.own}` }),
    };
    const kind = "claude" as const;
    const accounts = (facts.accounts ?? []).map((name) => ({ kind, folder: join(home, name) }));
    const panes = (facts.running ?? []).map((name) => ({
      kind: "demo" as const,
      folder: name === null ? null : join(home, name),
    }));
    expect(searchedFolders(env, accounts, panes)).toEqual(
      expected.map((name) => ({ kind, folder: `${home}/${name}` })),
    );
  });

interface Facts {
  own?: string;
  made?: string[];
  accounts?: string[];
  running?: (string | null)[];
}

check("the standard folder, even before its first use", {}, [".claude"]);
check("the folder of the environment, even before its first use", { own: "own" }, ["own"]);
check("the standard folder beside it, if it exists", { own: "own", made: [".claude"] }, ["own", ".claude"]);
check("a dangling link counts as existing", { own: "own", made: [".claude -> disk"] }, ["own", ".claude"]);
check(
  "the folders that agents used before, and those of running agents",
  { accounts: ["before"], running: [null, "now", "before", "now"] },
  [".claude", "before", "now"],
);
check(
  "a folder with several paths, once",
  { own: "own/", made: ["own", ".claude -> own"], accounts: ["own", ".claude", "away"], running: ["own"] },
  ["own/", "away"],
);

test("without HOME, the other known folders are searched", () => {
  const kind = "claude" as const;
  const found = searchedFolders({}, [{ kind, folder: "/before" }], [{ kind, folder: "/now" }]);
  expect(found.map(({ folder }) => folder)).toEqual(["/before", "/now"]);
});
