import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import type { TeamName } from "../names/gates.js";
import { openActiveTeam } from "./active-team.js";
import type { Problem } from "./file/error.js";

function open(text?: string) {
  const problems: Problem[] = [];
  const active = openActiveTeam(join(testHome().config, "hivemind.active.team"), (problem) =>
    problems.push(problem),
  );
  mkdirSync(dirname(active.path), { recursive: true });
  if (text !== undefined) writeFileSync(active.path, text);
  return { active, problems };
}

describe("the active team", () => {
  test("is the one written last, until it is removed", async () => {
    const { active } = open();
    expect(active.read()).toBeNull();
    await active.write("web" as TeamName);
    expect([active.read(), readFileSync(active.path, "utf8")]).toEqual(["web", "web\n"]);
    await active.write(null);
    await active.write(null);
    expect([active.read(), existsSync(active.path)]).toEqual([null, false]);
  });

  test.each([
    ["web", "web", 0],
    [" web\r\nmore\n", "web", 0],
    ["", null, 0],
    ["Did you mean:\n", null, 1],
    ["../x", null, 1],
    ["\0\0\0", null, 1],
  ])("in %j is %j (incident 1)", (text, team, count) => {
    const { active, problems } = open(text);
    expect([active.read(), problems.length]).toEqual([team, count]);
  });

  test("is refused if it is not a team name, or if its file is a symbolic link", async () => {
    const { active } = open("web\n");
    await expect(active.write("a b" as TeamName)).rejects.toThrow(/team name/);
    expect(active.read()).toBe("web");
    const other = openActiveTeam(`${active.path}.link`);
    symlinkSync(active.path, other.path);
    await expect(other.write("x" as TeamName)).rejects.toMatchObject({ reason: "unreadable" });
    expect(() => other.read()).toThrow(/symbolic link/);
  });
});
