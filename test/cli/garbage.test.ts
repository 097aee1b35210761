import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";

/** Rows that are older than the tmux session are of agents that are away. */
const later = Math.floor(Date.now() / 1000) + 60;

function withRoles(content: string | Buffer): { home: TestHome; path: string } {
  const home = testHome();
  tmuxTeam(home, "a", 2);
  mkdirSync(home.config);
  const path = join(home.config, "hivemind.roles.env");
  writeFileSync(path, content);
  return { home, path };
}

describe("a store file with garbage in it", () => {
  test.each<[string, string | Buffer]>([
    ["NUL bytes", "a:0.0|p\0o\n"],
    ["bytes that are no text", Buffer.from([0x61, 0x3a, 0xff, 0xfe, 0x0a])],
    ["too many pipes", "a:0.0|po|1|2|3\n"],
    ["a line of 10 MB", `${"x".repeat(10 * 1024 * 1024)}\n`],
    ["words of an error", "Did you mean:\n"],
    ["a pane that is none", "0.99|po\n"],
    ["shell code", "$(touch ran)|po\n"],
  ])("%s: reported once, the rest works, and the bytes stay (incident 8)", (_, bad) => {
    const bytes = Buffer.concat([
      Buffer.from(`# mine\na:0.0|po|${later}\n`),
      Buffer.from(bad),
      Buffer.from(`\nb:0.0|gone|${later}\n`),
    ]);
    const { home, path } = withRoles(bytes);
    const listed = hivemind(home, ["registry", "list"]);
    expect(listed.code).toBe(0);
    expect(listed.stdout).toMatch(/a:0\.0 +po/);
    expect(listed.stderr.match(/hivemind\.roles\.env:3: /g)).toHaveLength(1);
    expect(listed.stderr.length).toBeLessThan(1000);
    expect(hivemind(home, ["registry", "set", "a:0.1", "dev"]).code).toBe(0);
    const after = readFileSync(path);
    expect(after.subarray(0, bytes.length).equals(bytes)).toBe(true);
    expect(after.subarray(bytes.length).toString()).toMatch(/^a:0\.1\|dev\|\d+\n$/);
  });

  test("Windows line ends are read and kept", () => {
    const { home, path } = withRoles(`a:0.0|po|${later}\r\nb:0.0|x|${later}\r\n`);
    expect(json(home, ["registry", "list"])).toMatchObject({
      rows: [{ pane: "a:0.0", role: "po" }, { pane: "b:0.0" }],
    });
    hivemind(home, ["registry", "set", "a:0.1", "dev"]);
    expect(readFileSync(path, "utf8")).toMatch(/^a:0\.0\|po\|\d+\r\nb:0\.0\|x\|\d+\r\na:0\.1\|dev\|\d+\n$/);
  });
});

describe("a store file replaced by something else", () => {
  const refused = (home: TestHome) => {
    for (const args of [
      ["registry", "list"],
      ["registry", "set", "a:0.0", "po"],
    ]) {
      const { code, stdout, stderr } = hivemind(home, args);
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: "" });
      expect(stderr).toMatch(/hivemind\.roles\.env/);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  };

  test("a folder: exit code 3", () => {
    const home = testHome();
    tmuxTeam(home, "a");
    mkdirSync(join(home.config, "hivemind.roles.env"), { recursive: true });
    refused(home);
  });

  test("a symbolic link: exit code 3, and its target is untouched", () => {
    const home = testHome();
    tmuxTeam(home, "a");
    mkdirSync(home.config);
    const precious = join(home.root, "precious");
    writeFileSync(precious, "a:0.0|po\n");
    symlinkSync(precious, join(home.config, "hivemind.roles.env"));
    refused(home);
    expect(readFileSync(precious, "utf8")).toBe("a:0.0|po\n");
  });

  test("no permission: exit code 3", () => {
    const { home, path } = withRoles("a:0.0|po\n");
    chmodSync(path, 0);
    // Root may read everything, so the command runs as somebody who may not.
    chmodSync(home.root, 0o755);
    for (const folder of [home.home, home.config]) chmodSync(folder, 0o755);
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const ran = spawnSync(process.execPath, [mainProgram, "registry", "list"], {
      env: home.env,
      cwd: "/",
      encoding: "utf8",
      ...nobody,
    });
    expect({ code: ran.status, stdout: ran.stdout }).toEqual({ code: 3, stdout: "" });
    expect(ran.stderr).toMatch(/hivemind\.roles\.env.*permission denied/i);
  });
});

test("without HOME and a folder: an error, never a guess", () => {
  const home = testHome();
  const { HOME: _, HIVEMIND_CONFIG_DIR: __, ...env } = home.env;
  const ran = spawnSync(process.execPath, [mainProgram, "team", "list"], { env, encoding: "utf8" });
  expect({ code: ran.status, stdout: ran.stdout }).toEqual({ code: 1, stdout: "" });
  expect(ran.stderr).toContain("HOME is not set");
});
