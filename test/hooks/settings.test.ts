// `hivemind hooks` on real files.

import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { installHooks, removeHooks } from "../../src/agents/claude/hooks/settings-file.js";
import { acquireLock } from "../../src/base/files/lock.js";
import { hivemind, json } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { killedBefore } from "../killed-before.js";

const settingsOf = ({ claude }: TestHome) => join(claude, "settings.json");
const before = '{\n    // mine\n    "model": "opus"\n}\n';

function withSettings(text: string | Uint8Array | null): TestHome {
  const home = testHome();
  if (text !== null) writeFileSync(settingsOf(home), text);
  return home;
}

test("install keeps a backup and the mode, a second changes nothing, remove leaves no trace", () => {
  const home = withSettings(before);
  const path = settingsOf(home);
  chmodSync(path, 0o644);
  const installed = hivemind(home, ["hooks", "install"]);
  expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining("next start") });
  expect(installed.stdout).toBe(
    `installed hooks in ${path}\nbackup of the old file: ${path}.hivemind-backup\n`,
  );
  expect(readFileSync(`${path}.hivemind-backup`, "utf8")).toBe(before);
  expect(statSync(path).mode & 0o777).toBe(0o644);
  const text = readFileSync(path, "utf8");
  expect(text).toContain("// mine\n");
  expect(text).toContain(join(home.config, "hivemind.hooks"));

  const again = hivemind(home, ["hooks", "install"]);
  expect(again).toMatchObject({ code: 0, stdout: `hooks are already installed in ${path}\n` });
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(readFileSync(`${path}.hivemind-backup`, "utf8")).toBe(before);

  expect(hivemind(home, ["hooks", "remove"])).toMatchObject({
    code: 0,
    stdout: `removed hooks from ${path}\n`,
  });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(statSync(path).mode & 0o777).toBe(0o644);
  expect(readdirSync(home.claude)).toEqual(["settings.json"]);
  expect(hivemind(home, ["hooks", "remove"])).toMatchObject({
    code: 0,
    stdout: `no hivemind hooks in ${path}\n`,
  });
});

test("a file that did not exist is removed again, also in a project", () => {
  const home = withSettings(null);
  for (const flags of [[], ["--project"]]) {
    expect(hivemind(home, ["hooks", "install", ...flags]).code).toBe(0);
    expect(hivemind(home, ["hooks", "remove", ...flags]).code).toBe(0);
  }
  expect(readdirSync(home.claude)).toEqual([]);
  expect(readdirSync(join(home.work, ".claude"))).toEqual([]);
});

test("a user's change between install and remove stays, and a later install has its own backup", () => {
  const home = withSettings(before);
  hivemind(home, ["hooks", "install"]);
  const path = settingsOf(home);
  writeFileSync(path, readFileSync(path, "utf8").replace("opus", "sonnet"));
  hivemind(home, ["hooks", "remove"]);
  expect(readFileSync(path, "utf8")).toBe(before.replace("opus", "sonnet"));
  hivemind(home, ["hooks", "install"]);
  expect(readFileSync(`${path}.hivemind-backup`, "utf8")).toBe(before.replace("opus", "sonnet"));
});

test.each([
  ["{", "line 1: it ends too early"],
  ['{\n"a" 1}', "line 2: a colon is missing"],
  ["[]", "it is not an object"],
  ['{"hooks":7}', "its hooks are not an object"],
  [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "it is not UTF-8"],
])("settings %j are refused and stay unchanged", (text, why) => {
  const home = withSettings(text);
  const bytes = readFileSync(settingsOf(home));
  for (const verb of ["install", "remove"]) {
    const { code, stdout, stderr } = hivemind(home, ["hooks", verb]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`refused ${settingsOf(home)}: ${why}`);
    expect(stderr).toContain("nothing was changed");
  }
  expect(readFileSync(settingsOf(home))).toEqual(bytes);
  expect(existsSync(home.config)).toBe(false);
  expect(readdirSync(home.claude)).toEqual(["settings.json"]);
});

test("a folder, or a link to a missing file, is refused", () => {
  const home = testHome();
  symlinkSync(join(home.root, "nowhere"), settingsOf(home));
  expect(hivemind(home, ["hooks", "install"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("a link to a missing file"),
  });
  expect(json(home, ["hooks", "status", "--project"])).toMatchObject({ settings: [{ scope: "project" }] });
  expect(json(home, ["hooks", "status"])).toMatchObject({
    settings: [{ state: "broken" }, { state: "absent" }],
  });
  const other = testHome();
  mkdirSync(settingsOf(other));
  expect(hivemind(other, ["hooks", "install"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("it is a folder"),
  });
});

test("an unreadable or unwritable file is an error, and changes nothing", () => {
  const home = withSettings(before);
  mkdirSync(join(home.claude, "settings.json.hivemind-backup"));
  const unwritable = hivemind(home, ["hooks", "install"]);
  expect(unwritable).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/cannot be changed: E\w+\n/),
  });
  expect(readFileSync(settingsOf(home), "utf8")).toBe(before);
  const noFolder = { env: { CLAUDE_CONFIG_DIR: settingsOf(home) } };
  for (const verb of ["install", "remove", "status"]) {
    const unreadable = hivemind(home, ["hooks", verb], noFolder);
    expect(unreadable).toMatchObject({ code: 3, stdout: "", stderr: expect.stringContaining("ENOTDIR") });
  }
});

test("a linked file is changed at its target, and the link stays", () => {
  const home = testHome();
  const real = join(home.root, "dotfiles", "claude.json");
  mkdirSync(dirname(real));
  writeFileSync(real, before);
  symlinkSync("../dotfiles/claude.json", settingsOf(home));
  expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
  expect(readFileSync(real, "utf8")).toContain("hivemind.hooks");
  expect(readdirSync(dirname(real))).toEqual(["claude.json"]);
  expect(lstatSync(settingsOf(home)).isSymbolicLink()).toBe(true);
  expect(hivemind(home, ["hooks", "remove"]).code).toBe(0);
  expect(readlinkSync(settingsOf(home))).toBe("../dotfiles/claude.json");
  expect(readFileSync(real, "utf8")).toBe(before);
  expect(readdirSync(home.claude)).toEqual(["settings.json"]);
});

test.each([
  ["install", []],
  ["remove", ["install"]],
])("%s, killed before any of its steps: the next remove leaves nothing", (verb, earlier) => {
  let operation = 0;
  for (let isKilled = true; isKilled; ) {
    const home = withSettings(before);
    for (const each of earlier) hivemind(home, ["hooks", each]);
    isKilled = killedBefore(home, ++operation, ["hooks", verb]);
    expect(hivemind(home, ["hooks", "remove"]).code).toBe(0);
    expect(readdirSync(home.claude), `killed before ${operation}`).toEqual(["settings.json"]);
    expect(readFileSync(settingsOf(home), "utf8")).toBe(before);
  }
  expect(operation).toBeGreaterThan(2);
});

test("an install killed before its last step is completed by the next one, and leaves only the backup", () => {
  const home = withSettings(before);
  for (const operation of [1, 2]) expect(killedBefore(home, operation, ["hooks", "install"])).toBe(true);
  expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
  expect(readdirSync(home.claude)).toEqual(["settings.json", "settings.json.hivemind-backup"]);
  expect(readFileSync(`${settingsOf(home)}.hivemind-backup`, "utf8")).toBe(before);
});

test("an old backup of a deleted file is kept, and not taken for the new file's", () => {
  const home = withSettings(null);
  writeFileSync(`${settingsOf(home)}.hivemind-backup`, before);
  expect(hivemind(home, ["hooks", "install"]).stdout).toContain("kept a backup of an earlier file: ");
  expect(hivemind(home, ["hooks", "remove"]).code).toBe(0);
  const [kept, ...others] = readdirSync(home.claude);
  expect([kept, others]).toEqual([expect.stringMatching(/^settings\.json\.hivemind-backup-\d/), []]);
  expect(readFileSync(join(home.claude, kept!), "utf8")).toBe(before);
});

test("remove keeps a backup that differs from a file without hooks", () => {
  const home = withSettings(before);
  hivemind(home, ["hooks", "install"]);
  writeFileSync(settingsOf(home), "{}");
  expect(hivemind(home, ["hooks", "remove"]).stdout).toContain(
    "backup from before the hooks were installed: ",
  );
  expect(readFileSync(`${settingsOf(home)}.hivemind-backup`, "utf8")).toBe(before);
});

test("installed hooks are recognised in a folder without write permission", async () => {
  const home = withSettings(before);
  hivemind(home, ["hooks", "install"]);
  const path = settingsOf(home);
  const lock = await acquireLock(`${path}.hivemind-lock`);
  expect(await installHooks(path, join(home.config, "hivemind.hooks"))).toMatchObject({ changed: false });
  lock.release();
});

test("an install waits for another change of the file, and then uses the changed file", async () => {
  const path = settingsOf(withSettings(before));
  const lock = await acquireLock(`${path}.hivemind-lock`);
  const installing = installHooks(path, "/reports");
  writeFileSync(path, before.replace("opus", "sonnet"));
  lock.release();
  expect(await installing).toMatchObject({ changed: true });
  expect(readFileSync(`${path}.hivemind-backup`, "utf8")).toContain("sonnet");
  expect(await removeHooks(path)).toBe(true);
  expect(readFileSync(path, "utf8")).toBe(before.replace("opus", "sonnet"));
});

test("hooks remove creates nothing if there is nothing to remove", () => {
  const home = withSettings(null);
  expect(hivemind(home, ["hooks", "remove", "--project"]).code).toBe(0);
  expect(existsSync(join(home.work, ".claude"))).toBe(false);
});

test("--print prints the settings and touches nothing", () => {
  const home = withSettings(before);
  const { code, stdout, stderr } = hivemind(home, ["hooks", "install", "--print"]);
  expect(code).toBe(0);
  expect(Object.keys(JSON.parse(stdout).hooks)).toHaveLength(7);
  expect(stderr).toContain("hivemind hooks install");
  expect(readFileSync(settingsOf(home), "utf8")).toBe(before);
  expect(existsSync(home.config)).toBe(false);
});

test("status shows where hooks are installed, whether the handler is current, and the time of the last report", () => {
  const home = withSettings(before);
  expect(json(home, ["hooks", "status"])).toEqual({
    version: 1,
    settings: [
      { scope: "user", path: settingsOf(home), state: "absent", why: null },
      { scope: "project", path: join(home.work, ".claude", "settings.json"), state: "absent", why: null },
    ],
    handler: { folder: join(home.config, "hivemind.hooks"), state: "missing" },
    reports: { waiting: 0, unreadable: 0, lastEvent: null, lastAgeSeconds: null },
    statusLine: { command: expect.stringContaining("event=StatusLine"), isSeen: false },
  });
  expect(existsSync(home.config)).toBe(false);
  hivemind(home, ["hooks", "install"]);
  const report = '{"event":"Stop","pid":1,"tmux":"","pane":""}\n{}';
  writeFileSync(join(home.config, "hivemind.hooks", "1-Stop.json"), report);
  writeFileSync(join(home.config, "hivemind.hooks", "handler.sh"), "old");
  expect(json(home, ["hooks", "status"])).toMatchObject({
    settings: [{ state: "installed" }, { state: "absent" }],
    handler: { state: "outdated" },
    reports: { waiting: 1, lastEvent: "Stop", lastAgeSeconds: expect.any(Number) },
  });
  expect(hivemind(home, ["hooks", "install"]).stdout).toContain("the handlers were updated");
  expect(hivemind(home, ["hooks", "status"]).stdout).toMatch(
    /user settings +installed[\s\S]*; last: Stop, \d+ s ago\nTo report .* statusLine .*\n.*StatusLine.*\n$/,
  );
  const elsewhere = { env: { HIVEMIND_CONFIG_DIR: join(home.root, "other") } };
  expect(hivemind(home, ["hooks", "status"], elsewhere).stdout).toMatch(/user settings +outdated/);
  writeFileSync(settingsOf(home), "\u001b{");
  const broken = hivemind(home, ["hooks", "status"]);
  expect(broken).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("broken (line 1: this is not a JSON value)"),
  });
});
