import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import * as library from "../../src/index.js";
import { testHome } from "../home.js";
import { otherNode } from "../nodes.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("the library exports exactly these names", () => {
  expect(Object.keys(library).sort()).toEqual([
    "HiveError",
    "LockedError",
    "StoreError",
    "TmuxError",
    "UsageError",
    "WorkspaceMismatch",
    "claudeHome",
    "deriveSessionId",
    "fingerprint",
    "freshenSession",
    "openHive",
    "openManagedSessions",
    "openManagedSessionsOf",
    "openWorkspace",
    "paneAddress",
    "role",
    "sessionId",
    "sessionName",
    "sessionNamespace",
    "teamName",
  ]);
});

test("the packed tarball installs into an empty prefix and runs on each node without development packages", async () => {
  const home = testHome();
  const pack = join(home.root, "pack");
  const prefix = join(home.root, "prefix");
  mkdirSync(pack);
  // npm must see no user configuration: a package without dependencies needs no registry.
  writeFileSync(join(home.home, ".npmrc"), "offline=true\naudit=false\nfund=false\nupdate-notifier=false\n");
  const env: Record<string, string> = {
    ...home.env,
    npm_config_cache: join(home.root, "npm-cache"),
    npm_config_userconfig: join(home.home, ".npmrc"),
  };
  const run = (program: string, args: string[], cwd = home.work) =>
    execFileSync(program, args, { env, cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });

  run("npm", ["pack", "--silent", "--pack-destination", pack], root);
  const [tarball] = readdirSync(pack);
  console.log(`the tarball has ${Math.round(statSync(join(pack, tarball!)).size / 1024)} KiB`);
  run("npm", ["install", "--silent", "--global", "--prefix", prefix, join(pack, tarball!)]);

  const bin = (name: string) => join(prefix, "bin", name);
  expect(run(bin("hivemind"), ["--version"])).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(readdirSync(join(prefix, "bin")).sort()).toEqual(["hivemind", "hm"]);
  // As docs/coming-from.md says.
  symlinkSync(bin("hivemind"), join(home.root, "hiveMind"));
  expect(run(join(home.root, "hiveMind"), ["team.list", "--json"])).toContain('"version":1');
  for (const major of [20, 22, 24]) {
    env.PATH = `${dirname(await otherNode(major))}:${home.env.PATH}`;
    expect(run("node", ["--version"])).toMatch(new RegExp(`^v${major}\\.`));
    expect(run(bin("hm"), ["demo", "--once"])).toMatch(/lead +demo +idle/);
    expect(run(bin("hivemind"), ["--help"])).toContain("Usage: hivemind");
  }

  // Its protocol is a file of its own, which it loads at once; without a client it ends.
  expect(run(bin("hivemind"), ["mcp"])).toBe("");

  const installed = join(prefix, "lib", "node_modules", "hivemind");
  expect(readdirSync(installed).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  const script = `import { deriveSessionId } from "${join(installed, "dist", "index.js")}"; console.log(deriveSessionId("hello", "mgr"));`;
  expect(run(process.execPath, ["--input-type=module", "-e", script])).toBe(
    "15533422-8bdb-5079-8420-efcdb81dd2e5\n",
  );
}, 480_000);
