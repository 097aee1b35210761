// Stage 4 of `consistency fix`: sessions without a transcript, and teams that it removes.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";

const [first, second, third] = [idOf(1), idOf(2), idOf(3)];

function write(home: TestHome, files: Record<string, string>): void {
  mkdirSync(home.config, { recursive: true });
  mkdirSync(join(home.claude, "projects"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.config, name), text);
}

const stored = (home: TestHome, name: string) => contentsOf(home.config)[`hivemind.${name}.env`] ?? "";
const brokenRows = (home: TestHome) =>
  [...stored(home, "forks").matchAll(/^[^#|]+Z\|(.*)\|broken\|$/gm)].map(([, row]) => row).sort();

test("closed panes and removed teams leave a broken row in S5", () => {
  const home = testHome();
  tmuxTeam(home, "web");
  write(home, {
    "hivemind.teams.env": "web|\nlost|\n",
    "hivemind.roles.env": "web:0.99|tester\nlost:0.0|po\n",
    "hivemind.sessions.env": `web:0.99|${first}\nlost:0.0|${second}\nnobody:1.2|${third}\n`,
  });
  const { dropped } = json<{ dropped: unknown[] }>(home, ["consistency", "fix", "--yes"]);
  expect(dropped).toHaveLength(3);
  expect(brokenRows(home)).toEqual([
    `lost:0.0|po|${second}`,
    `nobody:1.2||${third}`,
    `web:0.99|tester|${first}`,
  ]);
  expect([stored(home, "sessions"), stored(home, "roles"), stored(home, "teams")]).toEqual([
    "",
    "",
    "web|\n",
  ]);
  const before = contentsOf(home.config);
  expect(hivemind(home, ["consistency", "fix", "--yes"])).toMatchObject({
    code: 0,
    stdout: "nothing is wrong\n",
  });
  expect(contentsOf(home.config)).toEqual(before);
});

test("without a tmux server no team counts as gone (incident 66)", () => {
  const home = testHome();
  write(home, { "hivemind.sessions.env": `nobody:1.2|${third}\n` });
  const before = contentsOf(home.config);
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(contentsOf(home.config)).toEqual(before);
});

test.each([
  [["fix", "lost", "--yes"]],
  [["fix", "lost", "--yes", "--json"]],
  [["reconcile", "lost", "--apply"]],
])("consistency %j of a team that it removes ends with 0", (words) => {
  const home = testHome();
  tmuxTeam(home, "web");
  write(home, {
    "hivemind.teams.env": "web|\nlost|gone\n",
    "hivemind.roles.env": "lost:0.0|po\n",
    "hivemind.sessions.env": `lost:0.0|${first}\n`,
  });
  const { code, stderr } = hivemind(home, ["consistency", ...words]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stored(home, "teams")).toBe("web|\n");
  expect(brokenRows(home)).toEqual(words[0] === "fix" ? [`lost:0.0|po|${first}`] : []);
  // The team is no longer known.
  expect(hivemind(home, ["consistency", ...words])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there is no team "lost"'),
  });
});

test("audit shows what refresh calls broken, and fix drops it", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "set", "web:0.1", "po"]);
  write(home, { "hivemind.sessions.env": `web:0.1|${first}\n` });
  expect(hivemind(home, ["registry", "refresh"]).stdout).toBe("updated=0 broken=1\n");
  const audit = hivemind(home, ["consistency", "audit"]);
  expect(audit).toMatchObject({
    code: 0,
    stdout: `broken: web:0.1 has ${first}, which has no transcript\n`,
    stderr: expect.stringContaining("consistency fix"),
  });
  expect(json(home, ["consistency", "audit"])).toMatchObject({
    broken: [{ pane: "web:0.1", uuid: first, isDropped: true }],
  });
  expect(hivemind(home, ["consistency", "fix", "--yes"]).code).toBe(0);
  expect(hivemind(home, ["registry", "refresh"]).stdout).toBe("updated=0 broken=0\n");
  expect(hivemind(home, ["consistency", "audit"])).toMatchObject({ code: 0, stdout: "nothing is wrong\n" });
});
