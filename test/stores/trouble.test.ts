import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import type { AgentId } from "../../src/names/agent-id.js";
import type { TeamName } from "../../src/names/gates.js";
import { openStores } from "../../src/stores/stores.js";
import { fixturePrograms } from "../fixture-programs.js";
import { type TestHome, testHome } from "../home.js";

const program = fixturePrograms("stores/reader");

function storesWith(teams: string | Buffer) {
  const home = testHome();
  const stores = openStores(home.env);
  mkdirSync(home.config, { recursive: true });
  writeFileSync(stores.paths.teams, teams);
  return { home, stores };
}

/**
 * With files limited to 4 kB, the closest a test gets to a full disk: the write that crosses the limit is cut short.
 */
function onFullDisk(home: TestHome, ...args: string[]) {
  const script = 'trap "" XFSZ; ulimit -f 8; exec "$@"';
  const argv = ["-c", script, "sh", process.execPath, program("reader"), ...args];
  return JSON.parse(execFileSync("sh", argv, { env: home.env, encoding: "utf8" }));
}

describe("a store's file", () => {
  test("full of garbage keeps it byte for byte around the rows that change", async () => {
    const before = [
      Buffer.from("a|old\r\n\0\0\0|\n"),
      Buffer.from("b|x|y|z\n\xff\xfe|bad\n", "latin1"),
      Buffer.alloc(10_000_000, "x"),
      Buffer.from("\n\n# note\r\nc|keep\r\n"),
    ];
    const { stores } = storesWith(Buffer.concat(before));
    expect(stores.teams.read().rows.map(({ team }) => team)).toEqual(["a", "c"]);
    expect(stores.problems().map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    for (const { why } of stores.problems()) expect(why.length).toBeLessThan(150);
    await stores.teams.update((rows) => [
      ...rows.map((row) => (row.team === "a" ? { ...row, description: "new" } : row)),
      { team: "d" as TeamName, description: "" },
    ]);
    const wanted = Buffer.concat([Buffer.from("a|new\n\0\0\0|\n"), ...before.slice(1), Buffer.from("d|\n")]);
    expect(readFileSync(stores.paths.teams).equals(wanted)).toBe(true);
  });

  test.each<[string, (path: string) => void, RegExp]>([
    ["a folder", (path) => mkdirSync(path), /it is a folder/],
    ["a symbolic link", (path) => symlinkSync("/etc/hostname", path), /it is a symbolic link/],
    ["a pipe", (path) => execFileSync("mkfifo", [path]), /not a regular file/],
  ])("that is %s is an error with exit code 3, for reading and writing", async (_, make, why) => {
    const home = testHome();
    const { teams, forks, events, activeTeam, paths } = openStores(home.env);
    for (const path of [paths.teams, paths.forks, paths.events, paths.activeTeam]) {
      mkdirSync(dirname(path), { recursive: true });
      make(path);
    }
    const expected = expect.objectContaining({
      name: "StoreError",
      reason: "unreadable",
      exitCode: 3,
      message: expect.stringMatching(why),
      hint: expect.stringContaining("regular file"),
    });
    expect(() => teams.read()).toThrow(expected);
    await expect(teams.update((rows) => rows)).rejects.toEqual(expected);
    expect(() => [...forks.scan()]).toThrow(expected);
    expect(() => events.read()).toThrow(expected);
    await expect(events.log([{ name: "team.destroyed", team: "a" as TeamName }])).rejects.toEqual(expected);
    expect(() => activeTeam.read()).toThrow(expected);
    expect(readdirSync(home.config).filter((name) => /lock|tmp/.test(name))).toEqual([]);
  });

  test("that is unreadable is an error with exit code 3", () => {
    const { home, stores } = storesWith("a|\n");
    const answer = execFileSync(process.execPath, [program("reader"), "stranger"], {
      env: home.env,
      encoding: "utf8",
    });
    expect(JSON.parse(answer)).toMatchObject({ name: "StoreError", reason: "unreadable", exitCode: 3 });
    expect(answer).toContain(stores.paths.teams);
  });

  test("[AF2] is unchanged when the disk is full, and no other file is left", () => {
    const before = `# ${"-".repeat(500)}\na|\n`;
    const { home, stores } = storesWith(before);
    expect(onFullDisk(home, "update", "x".repeat(4000))).toMatchObject({ reason: "full", exitCode: 1 });
    expect(readFileSync(stores.paths.teams, "utf8")).toBe(before);
    expect(readdirSync(home.config)).toEqual(["hivemind.teams.env"]);
    expect(onFullDisk(home, "update", "fits")).toEqual({ ok: true });
  });

  test("[AF4] that only grows has no partial row when the disk is full", () => {
    const { home, stores } = storesWith("");
    expect(onFullDisk(home, "append", "x".repeat(2000))).toEqual({ ok: true });
    const before = readFileSync(stores.paths.events, "utf8");
    expect(onFullDisk(home, "append", "y".repeat(3000))).toMatchObject({ reason: "full" });
    expect(readFileSync(stores.paths.events, "utf8")).toBe(before);
    expect(existsSync(join(home.config, "hivemind.events.log.lock"))).toBe(false);
  });

  test("may be in a config folder that is a symbolic link", async () => {
    const home = testHome();
    mkdirSync(join(home.root, "elsewhere"));
    symlinkSync(join(home.root, "elsewhere"), home.config);
    const stores = openStores(home.env);
    await stores.teams.update(() => [{ team: "a" as TeamName, description: "" }]);
    await stores.queues.append("aaaaaaaaaa" as AgentId, "inform", "x");
    expect(readdirSync(join(home.root, "elsewhere")).sort()).toEqual([
      "hivemind.queue",
      "hivemind.teams.env",
    ]);
  });
});
