// The bin on every node that the package names, each a real program.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { mainProgram, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { otherNode } from "../nodes.js";

const fetchMs = 360_000;

function ran(node: string, home: TestHome, args: readonly string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(node, [mainProgram, ...args], {
    env: { ...home.env, ...env },
    cwd: home.work,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

/** Everything below a folder. */
function below(folder: string): string[] {
  return existsSync(folder) ? (readdirSync(folder, { recursive: true }) as string[]).sort() : [];
}

const compiledIn = (home: TestHome) => join(home.env.XDG_CACHE_HOME!, "hivemind", "compiled");

const printed = { status: 0, stdout: "7f7de39c4bcebddb\n", stderr: "" };
const fingerprint = ["fingerprint", "/tmp"];

describe.each([20, 22, 24])("node %i", (major) => {
  test("runs the command, its help page, and what it says of a wrong word", {
    timeout: fetchMs,
  }, async () => {
    const node = await otherNode(major);
    const home = testHome();
    tmuxTeam(home, "web", 2);
    const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout;
    expect(version).toMatch(new RegExp(`^v${major}\\.`));
    expect(ran(node, home, fingerprint)).toEqual(printed);
    expect(ran(node, home, ["--help"])).toMatchObject({ status: 0, stderr: "" });
    const { status, stdout, stderr } = ran(node, home, ["status", "--json"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout).teams).toMatchObject([{ team: "web", agents: [{}, {}] }]);
    expect(ran(node, home, ["statsu"])).toMatchObject({ status: 2, stdout: "" });
  });
});

describe.each([22, 24])("the compile cache of node %i", (major) => {
  test(
    "lies below the cache folder and nowhere else, and the second run takes it",
    async () => {
      const node = await otherNode(major);
      const home = testHome();
      // Node's own log of its cache.
      const logged = { NODE_DEBUG_NATIVE: "COMPILE_CACHE" };
      const taken = (text: string) => /command\.cjs was accepted/.test(text);
      const first = ran(node, home, fingerprint, logged);
      expect({ ...first, stderr: taken(first.stderr) }).toEqual({ ...printed, stderr: false });
      const kept = below(compiledIn(home));
      expect(kept.filter((name) => statSync(join(compiledIn(home), name)).isFile()).length).toBeGreaterThan(
        0,
      );
      expect(
        below(home.root).filter(
          (name) => !name.startsWith("cache") && statSync(join(home.root, name)).isFile(),
        ),
      ).toEqual([]);
      expect(statSync(join(home.env.XDG_CACHE_HOME!, "hivemind")).mode & 0o777).toBe(0o700);
      expect(taken(ran(node, home, fingerprint, logged).stderr)).toBe(true);
      expect(below(compiledIn(home))).toEqual(kept);
    },
    fetchMs,
  );

  test(
    "is left out without a word where there is no folder for it",
    async () => {
      const node = await otherNode(major);
      const home = testHome();
      const { HOME: _, XDG_CACHE_HOME: __, ...homeless } = home.env;
      const options = { env: homeless, cwd: home.work, encoding: "utf8" } as const;
      const { status, stdout, stderr } = spawnSync(node, [mainProgram, ...fingerprint], options);
      expect({ status, stdout, stderr }).toEqual(printed);
      // A file in the place of the folder: root may write into every folder.
      const file = join(home.root, "file");
      writeFileSync(file, "");
      expect(ran(node, home, fingerprint, { XDG_CACHE_HOME: file })).toEqual(printed);
      expect(ran(node, home, fingerprint, { NODE_DISABLE_COMPILE_CACHE: "1" })).toEqual(printed);
      expect(below(home.work)).toEqual([]);
      expect(below(compiledIn(home))).toEqual([]);
    },
    fetchMs,
  );

  test(
    "stays where the user has put it, or ~/.cache without another wish",
    async () => {
      const node = await otherNode(major);
      const home = testHome();
      const own = join(home.root, "own");
      expect(ran(node, home, fingerprint, { NODE_COMPILE_CACHE: own })).toEqual(printed);
      expect(below(own).length).toBeGreaterThan(0);
      expect(below(compiledIn(home))).toEqual([]);
      expect(ran(node, home, fingerprint, { XDG_CACHE_HOME: "" })).toEqual(printed);
      expect(below(join(home.home, ".cache", "hivemind", "compiled")).length).toBeGreaterThan(0);
    },
    fetchMs,
  );
});
