import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../../test/home.js";
import { identityText, ownIdentity } from "../../base/system/process-identity.js";
import type { TeamName } from "../../names/gates.js";
import { teamFormat } from "../teams.js";
import { StoreError } from "./error.js";
import { rowFile } from "./row-file.js";

const open = () => rowFile(join(testHome().config, "hivemind.teams.env"), teamFormat);
const team = (name: string) => ({ team: name as TeamName, description: "" });

describe("a row file", () => {
  test("[RF1] that does not exist is empty, and is not created", () => {
    const file = open();
    expect(file.read()).toEqual({ rows: [], problems: [] });
    expect(existsSync(dirname(file.path))).toBe(false);
  });

  test("[RF2] loses nothing to updates that overlap (incident 6)", async () => {
    const file = open();
    const names = Array.from({ length: 30 }, (_, at) => `t${at}`);
    await Promise.all(names.map((name) => file.update((rows) => [...rows, team(name)])));
    expect(
      file
        .read()
        .rows.map((row) => row.team)
        .sort(),
    ).toEqual(names.sort());
    expect(readdirSync(dirname(file.path))).toEqual(["hivemind.teams.env"]);
  });

  test("[RF2] gives an update the current content, not what was read before", async () => {
    const file = open();
    await file.update(() => [team("a")]);
    const stale = file.read().rows;
    await file.update((rows) => [...rows, team("b")]);
    const { rows, changed } = await file.update((now) =>
      now.length > stale.length ? [...now, team("c")] : [],
    );
    expect([rows.map((row) => row.team), changed]).toEqual([["a", "b", "c"], true]);
  });

  test.each<[string, () => never | readonly ReturnType<typeof team>[]]>([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["is refused", () => [team("ok"), team("../x")]],
  ])("[RF3] is unchanged after a change that %s", async (_, change) => {
    const file = open();
    await file.update(() => [team("a")]);
    const before = statSync(file.path);
    await expect(file.update(change)).rejects.toThrow();
    expect(statSync(file.path)).toMatchObject({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect(readdirSync(dirname(file.path))).toEqual(["hivemind.teams.env"]);
  });

  test.each<[string, (rows: readonly ReturnType<typeof team>[]) => readonly ReturnType<typeof team>[]]>([
    ["the same rows", (rows) => rows],
    ["equal rows", (rows) => rows.map((row) => ({ ...row }))],
  ])("[RF4] is not written by a change that returns %s", async (_, change) => {
    const file = open();
    await file.update(() => [team("a"), team("b")]);
    const before = statSync(file.path).ino;
    expect(await file.update(change)).toMatchObject({ changed: false, rows: [team("a"), team("b")] });
    expect(statSync(file.path).ino).toBe(before);
  });

  test("loses the leftovers of a killed writer when its lock is taken over", async () => {
    const file = open();
    mkdirSync(dirname(file.path), { recursive: true });
    writeFileSync(join(dirname(file.path), ".hivemind.teams.env.1-0123456789ab.tmp"), "half a r");
    symlinkSync(`${identityText({ ...ownIdentity(), start: "1" })},abc`, `${file.path}.lock`);
    await file.update(() => [team("a")]);
    expect(readdirSync(dirname(file.path))).toEqual(["hivemind.teams.env"]);
  });

  test("that is a symbolic link is refused for reading and writing, and its target stays unchanged", async () => {
    const file = open();
    mkdirSync(dirname(file.path));
    writeFileSync(join(dirname(file.path), "real"), "a|\n");
    symlinkSync("real", file.path);
    expect(() => file.read()).toThrow(StoreError);
    await expect(file.update(() => [])).rejects.toMatchObject({ reason: "unreadable", exitCode: 3 });
    expect(readFileSync(join(dirname(file.path), "real"), "utf8")).toBe("a|\n");
  });
});
