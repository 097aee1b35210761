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

test("what the client deleted comes back where it finds it, and is kept on", () => {
  const home = testHome();
  const mine = saved(home, 1);
  expect(sessions(home, "keep", "latest")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(`^kept ${mine.id} `),
  });
  appendLine(mine.path, user("q2", { cwd: home.work }));
  const last = readFileSync(mine.path);
  expect(sessions(home, "keep", mine.id).stdout).toMatch(/in the place of the copy of .+ ago\n$/);
  const kept = () => json<{ kept: Kept[] }>(home, ["sessions", "keep"]).kept;
  expect(kept()).toEqual([expect.objectContaining({ id: mine.id, cwd: home.work })]);
  expect(sessions(home, "keep").stdout).toContain(mine.id);

  const before = everything(home);
  expect(sessions(home, "restore", mine.id)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("by now"),
  });
  expect(everything(home)).toEqual(before);
  rmSync(mine.path);
  expect(sessions(home, "restore", mine.id)).toMatchObject({
    code: 0,
    stdout: `${mine.id} is back, as it was kept\n`,
  });
  expect(readFileSync(mine.path)).toEqual(last);
  expect(kept()).toHaveLength(1);
});

test("the trash counts before what was kept", () => {
  const home = testHome();
  const mine = saved(home, 1);
  sessions(home, "keep", mine.id);
  appendLine(mine.path, user("q2", { cwd: home.work }));
  const last = readFileSync(mine.path);
  sessions(home, "rm", mine.id, "--yes");
  expect(sessions(home, "restore", mine.id)).toMatchObject({ code: 0, stdout: `${mine.id} is back\n` });
  expect(readFileSync(mine.path)).toEqual(last);
});

test("claw's are kept as well, and nothing is said to be kept where nothing is", async () => {
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
