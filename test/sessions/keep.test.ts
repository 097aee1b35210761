// `sessions keep`: a copy that outlives the client's own cleaning up.

import { readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { json } from "../command.js";
import { testHome } from "../home.js";
import { appendLine, user } from "../transcripts/files.js";
import { everything, managed, saved, sessions } from "./saved.js";

interface Kept {
  id: string;
  cwd: string;
}

test("a deleted session is restored from its copy to where the client finds it, and the copy stays", () => {
  const home = testHome();
  const mine = saved(home, 1);
  expect(sessions(home, "keep", "latest")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^kept ${mine.id} `),
  });
  appendLine(mine.path, user("q2", { cwd: home.work }));
  const last = readFileSync(mine.path);
  expect(sessions(home, "keep", mine.id).stdout).toMatch(/, replacing the copy from .+ ago\n$/);
  const kept = () => json<{ kept: Kept[] }>(home, ["sessions", "keep"]).kept;
  expect(kept()).toEqual([expect.objectContaining({ id: mine.id, cwd: home.work })]);
  expect(sessions(home, "keep").stdout).toContain(mine.id);

  const before = everything(home);
  expect(sessions(home, "restore", mine.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("there is already a session"),
  });
  expect(everything(home)).toEqual(before);
  rmSync(mine.path);
  expect(sessions(home, "restore", mine.id)).toMatchObject({
    code: 0,
    stdout: `restored ${mine.id} from the kept copy\n`,
  });
  expect(readFileSync(mine.path)).toEqual(last);
  expect(kept()).toHaveLength(1);
});

test("the trash comes before kept copies", () => {
  const home = testHome();
  const mine = saved(home, 1);
  sessions(home, "keep", mine.id);
  appendLine(mine.path, user("q2", { cwd: home.work }));
  const last = readFileSync(mine.path);
  sessions(home, "rm", mine.id, "--yes");
  expect(sessions(home, "restore", mine.id)).toMatchObject({ code: 0, stdout: `restored ${mine.id}\n` });
  expect(readFileSync(mine.path)).toEqual(last);
});

test("claw sessions can be kept too, and an empty list says so", async () => {
  const home = testHome();
  expect(sessions(home, "keep")).toMatchObject({ code: 0, stdout: expect.stringContaining("is kept") });
  const mine = await managed(home);
  expect(sessions(home, "keep", mine.id)).toMatchObject({ code: 0 });
  const text = readFileSync(mine.path);
  rmSync(mine.path);
  expect(sessions(home, "restore", mine.id)).toMatchObject({ code: 0 });
  expect(readFileSync(mine.path)).toEqual(text);
  expect(sessions(home, "keep", "nobody")).toMatchObject({ code: 1, stdout: "" });
});
