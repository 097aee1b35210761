import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { searchedFolders } from "./folders.js";

/** All names are of one folder, in which `made` is there; `.claude` is the standard one. */
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
    const accounts = (facts.accounts ?? []).map((name) => join(home, name));
    const panes = (facts.running ?? []).map((name) => ({ folder: name === null ? null : join(home, name) }));
    expect(searchedFolders(env, accounts, panes)).toEqual(expected.map((name) => `${home}/${name}`));
  });

interface Facts {
  own?: string;
  made?: string[];
  accounts?: string[];
  running?: (string | null)[];
}

check("[SFO1] the standard folder, also before anybody used it", {}, [".claude"]);
check("[SFO1] one of the environment's own, also before anybody used it", { own: "own" }, ["own"]);
check("[SFO1] the standard folder beside it, where it is there", { own: "own", made: [".claude"] }, [
  "own",
  ".claude",
]);
check("[SFO1] one whose link leads nowhere is there", { own: "own", made: [".claude -> disk"] }, [
  "own",
  ".claude",
]);
check(
  "[SFO1] what agents used before, and what those that run use",
  { accounts: ["before"], running: [null, "now", "before", "now"] },
  [".claude", "before", "now"],
);
check(
  "[SFO2] a folder that goes by several paths once",
  { own: "own/", made: ["own", ".claude -> own"], accounts: ["own", ".claude", "away"], running: ["own"] },
  ["own/", "away"],
);

test("[SFO1] without a home there is what is known otherwise", () => {
  expect(searchedFolders({}, ["/before"], [{ folder: "/now" }])).toEqual(["/before", "/now"]);
});
