// A team file that belongs to, or is writable by, another user is refused by every command that reads one.

import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";

const good = "project: web4\ndefaults: { kind: shell }\nagents: { lead: }\n";
const isRoot = process.getuid?.() === 0;
const stranger = 54_321;

/** `shared/mine`: a folder of ours below a folder that everyone may write. */
function folders(mode = 0o1777) {
  const home = testHome();
  const [shared, mine] = [join(home.work, "shared"), join(home.work, "shared/mine")];
  mkdirSync(mine, { recursive: true });
  chmodSync(shared, mode);
  const file = join(shared, "hivemind.yaml");
  writeFileSync(file, good);
  const run = (...words: string[]) => hivemind(home, words, { cwd: mine });
  return { home, shared, mine, file, run };
}

describe.each([
  ["sticky", 0o1777],
  ["not sticky", 0o777],
])("a parent folder that everyone may write, %s", (_, mode) => {
  test.each([["up"], ["plan"], ["down"], ["reload"]])("%s refuses its team file", (word) => {
    const { home, file, shared, run } = folders(mode);
    const before = contentsOf(home.config);
    const { code, stderr } = run(word);
    expect(code).toBe(1);
    expect(stderr).toContain(`refused the team file ${file}: its folder ${shared} is writable by everyone`);
    expect(stderr).toContain(`chmod o-w ${shared}`);
    expect(contentsOf(home.config)).toEqual(before);
    expect(() => home.tmux("list-sessions")).toThrow();
  });
});

test("a given file or folder is refused too", () => {
  const { file, shared, run } = folders();
  for (const named of [file, shared]) {
    const { code, stderr } = run("plan", "--file", named);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`refused the team file ${file}`),
    });
  }
});

test("init writes no team file that up would refuse", () => {
  const { home, shared } = folders();
  const open = join(shared, "open");
  mkdirSync(open);
  chmodSync(open, 0o777);
  const { code, stderr } = hivemind(home, ["init", "--yes"], { cwd: open });
  expect(code).toBe(1);
  expect(stderr).toContain(`its folder ${open} is writable by everyone`);
  expect(contentsOf(open)).toEqual({});
});

test("our own folder below, our links to our own files, and root's files are fine", () => {
  const { shared, mine, run } = folders();
  writeFileSync(join(mine, "real.yaml"), good);
  symlinkSync("real.yaml", join(mine, "hivemind.yaml"));
  expect(run("plan")).toMatchObject({ code: 0 });
  chmodSync(shared, 0o755);
  expect(run("plan", "--file", "..")).toMatchObject({ code: 0 });
});

test("a link into a folder that everyone may write is refused, and so is a file that everyone may write", () => {
  const { file, mine, run } = folders();
  symlinkSync(file, join(mine, "hivemind.yaml"));
  expect(run("up")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`refused the team file ${mine}/hivemind.yaml`),
  });
  const open = join(mine, "open.yaml");
  writeFileSync(open, good);
  chmodSync(open, 0o666);
  expect(run("up", "--file", open)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("it is writable by everyone"),
  });
});

test("a project file of teamctl in a folder that everyone may write is refused", () => {
  const { shared, mine, run } = folders();
  mkdirSync(join(mine, ".team"));
  writeFileSync(
    join(shared, "hello.yaml"),
    "project: { id: hello }\nmanagers: { mgr: { runtime: claude-code } }\n",
  );
  writeFileSync(join(mine, ".team/team-compose.yaml"), "projects: [{ file: ../../hello.yaml }]\n");
  expect(run("plan")).toMatchObject({ code: 1, stderr: expect.stringContaining("refused the team file") });
});

// Only root can give a file away.
describe.runIf(isRoot)("of another user", () => {
  test.each<[string, (paths: ReturnType<typeof folders>) => void]>([
    ["the file", ({ file }) => chownSync(file, stranger, stranger)],
    ["the folder", ({ shared }) => chownSync(shared, stranger, stranger)],
    [
      "the link",
      ({ shared, file }) => {
        symlinkSync(file, join(shared, "hivemind.yml"));
        lchownSync(join(shared, "hivemind.yml"), stranger, stranger);
      },
    ],
  ])("%s is refused, whatever its mode", (what, give) => {
    const paths = folders(0o755);
    give(paths);
    const named = what === "the link" ? ["--file", join(paths.shared, "hivemind.yml")] : [];
    const { code, stderr } = paths.run("up", ...named);
    expect(code).toBe(1);
    expect(stderr).toContain(`belongs to another user (uid ${stranger})`);
  });

  test("a folder that another group may write is refused", () => {
    const { shared, run } = folders(0o755);
    chownSync(shared, 0, stranger);
    chmodSync(shared, 0o2775);
    expect(run("up")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`a group other than your own (gid ${stranger})`),
    });
  });
});
