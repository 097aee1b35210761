import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { findTeamFile } from "../../src/teamfile/find-team-file.js";
import { loadTeamFile } from "../../src/teamfile/load-team-file.js";
import { testHome } from "../home.js";

const good = "project: web4\nagents: { lead: }\n";

function folderWith(...names: string[]) {
  const home = testHome();
  const root = realpathSync(home.home);
  for (const name of ["src/web4/deep/er/", ...names]) {
    const path = join(root, name);
    mkdirSync(name.endsWith("/") ? path : dirname(path), { recursive: true });
    if (!name.endsWith("/")) writeFileSync(path, good);
  }
  return { root, env: home.env, from: join(root, "src/web4/deep/er") };
}

test.each([
  [["src/web4/hivemind.yaml"], "src/web4/hivemind.yaml"],
  [["src/web4/hivemind.yml"], "src/web4/hivemind.yml"],
  [["src/web4/.team/team-compose.yaml"], "src/web4/.team/team-compose.yaml"],
  [["src/web4/.team/team-compose.yaml", "src/web4/hivemind.yaml"], "src/web4/hivemind.yaml"],
  [["src/web4/.team/team-compose.yaml", "src/hivemind.yaml"], "src/web4/.team/team-compose.yaml"],
  [["src/web4/deep/hivemind.yaml", "src/web4/hivemind.yaml"], "src/web4/deep/hivemind.yaml"],
  [["hivemind.yaml"], "hivemind.yaml"],
  [["../hivemind.yaml"], null],
  [["src/other/hivemind.yaml"], null],
  [[], null],
])("with %j it finds %s", (names, expected) => {
  const { root, from } = folderWith(...names);
  const find = () => findTeamFile({ from, home: root });
  if (expected === null) expect(find).toThrow(/there is no team file here/);
  else expect(find()).toBe(join(root, expected));
});

test("a home folder behind a link ends the search too", () => {
  const { root, env, from } = folderWith("../hivemind.yaml");
  const link = join(dirname(root), "link");
  symlinkSync(root, link);
  expect(() => loadTeamFile({ from, env: { ...env, HOME: link } })).toThrow(/no team file here/);
  expect(loadTeamFile({ from, env: {} }).path).toBe(join(dirname(root), "hivemind.yaml"));
});

test("two spellings in one folder are refused with both names", () => {
  const { root, from } = folderWith("src/web4/hivemind.yaml", "src/web4/hivemind.yml");
  expect(() => findTeamFile({ from, home: root })).toThrow(
    /two team files: .*hivemind\.yaml and .*hivemind\.yml/,
  );
  expect(findTeamFile({ from, home: root, file: "../../hivemind.yml" })).toBe(
    join(root, "src/web4/hivemind.yml"),
  );
});

test("a given path is used as it is", () => {
  const { root, from } = folderWith("src/web4/hivemind.yaml", "mine.yaml", "t/.team/team-compose.yaml");
  const named = (file: string) => findTeamFile({ from, home: root, file });
  expect(named(join(root, "mine.yaml"))).toBe(join(root, "mine.yaml"));
  expect(named("../..")).toBe(join(root, "src/web4/hivemind.yaml"));
  expect(named(join(root, "t"))).toBe(join(root, "t/.team/team-compose.yaml"));
  expect(named(join(root, "t/.team"))).toBe(join(root, "t/.team/team-compose.yaml"));
  expect(() => named(from)).toThrow(/no team file in/);
  expect(() => named("gone.yaml")).toThrow(/there is no file .*gone\.yaml/);
});

test.each([
  ["hivemind.yaml", "src/web4"],
  ["hivemind.yml", "src/web4"],
  ["team.yaml", "src/web4/team.yaml"],
])("%s is found again by %s", (name, expected) => {
  const { root, env, from } = folderWith(`src/web4/${name}`);
  symlinkSync(join(root, "src/web4"), join(root, "link"));
  const { written, path } = loadTeamFile({ from, env, file: join(root, "link", name) });
  expect(written).toBe(join(root, expected));
  expect(realpathSync(loadTeamFile({ from: "/", env, file: written }).path)).toBe(realpathSync(path));
});

test.each([
  ["is too large", "#".repeat(200 * 1024), /has 204800 bytes/],
  ["is not text", new Uint8Array([0xff, 0xfe, 0x00]), /is unreadable: it is not UTF-8 text/],
])("a file that %s is refused, not read", (_, content, why) => {
  const { root, env } = folderWith();
  writeFileSync(join(root, "hivemind.yaml"), content);
  expect(() => loadTeamFile({ from: root, env })).toThrow(why);
});

test("one error has every problem, and its message the first", () => {
  const { root, env } = folderWith();
  const path = join(root, "hivemind.yaml");
  writeFileSync(path, "project: a b\nagents: { lead: { model: 4 } }\n");
  expect(() => loadTeamFile({ from: root, env })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/hivemind\.yaml:1:10: `project`: refused .* \(and 1 more\)$/),
      lines: [expect.stringContaining(`${path}:1:10: `), expect.stringContaining(`${path}:2:26: `)],
    }),
  );
  expect(() => loadTeamFile({ from: root, env, project: "x" })).toThrow(/a b/);
  writeFileSync(path, good);
  expect(() => loadTeamFile({ from: root, env, project: "x" })).toThrow(/there is no project "x"/);
  expect(loadTeamFile({ from: root, env, project: "web4" }).folder).toBe(root);
});
