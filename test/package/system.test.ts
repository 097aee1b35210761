import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { mainProgram } from "../command.js";
import { testHome } from "../home.js";

const path = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
const system = path("scripts/system.mjs");

/** A system with only these programs; each prints one line. */
function checked(programs: Record<string, string>, ...flags: string[]) {
  const bin = join(testHome().root, "bin");
  mkdirSync(bin);
  for (const [name, line] of Object.entries(programs))
    writeFileSync(join(bin, name), `#!/bin/sh\necho '${line}'\n`, { mode: 0o755 });
  const { status, stderr } = spawnSync(process.execPath, [system, ...flags], {
    env: { PATH: bin },
    encoding: "utf8",
  });
  return { status, stderr };
}

const all = { tmux: "tmux 3.3a", screen: "Screen version 4.09.00", ps: "ps from procps-ng 4.0.2" };

test("a complete system passes without output", () => {
  expect(checked(all)).toEqual({ status: 0, stderr: "" });
});

test("a tmux that is too old is an error, with the needed version and where to get it", () => {
  for (const apt of [{}, { "apt-get": "apt 2.6" }]) {
    const { status, stderr } = checked({ ...all, ...apt, tmux: "tmux 2.7" });
    expect(status).toBe(1);
    expect(stderr).toContain("tmux 2.7 is too old: hivemind needs 3.2 or newer");
    expect(stderr).toContain("newer system");
    expect(stderr).not.toContain("sudo apt-get");
  }
});

test("a missing program is named with the command to type, or its package if there is no apt", () => {
  const { tmux, ...rest } = all;
  const without = checked(rest);
  expect(without.status).toBe(1);
  expect(without.stderr).toBe("hivemind needs tmux ≥ 3.2 from the system.\nInstall the package tmux.\n");
  const withApt = checked({ ...rest, "apt-get": "apt 2.6" });
  expect(withApt.status).toBe(1);
  expect(withApt.stderr).toContain("Type: sudo apt-get install tmux\n");
});

test("only the tests in a browser need chromium", () => {
  const { status, stderr } = checked({ ...all, "apt-get": "apt 2.6" }, "--web");
  expect(status).toBe(1);
  expect(stderr).toContain("hivemind needs chromium from the system.");
  expect(stderr).toContain("Type: sudo apt-get install chromium\n");
  expect(checked({ ...all, chromium: "Chromium 140.0" }, "--web")).toEqual({ status: 0, stderr: "" });
});

test.each([
  ["scripts/system.mjs", system],
  ["the command", mainProgram],
])("%s reports in one line that node is too old", (_, program) => {
  const home = testHome();
  const { node } = JSON.parse(readFileSync(path("package.json"), "utf8")).engines;
  const oldest = /^>=(\d+\.\d+)$/.exec(node)![1];
  const ran = (version: string) => {
    const old = join(home.root, "old.cjs");
    writeFileSync(
      old,
      `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } });`,
    );
    return spawnSync(process.execPath, ["--require", old, program, "--help"], {
      env: home.env,
      encoding: "utf8",
    });
  };
  for (const version of ["20.9.0", "18.20.8", "9.11.2"]) {
    const { status, stdout, stderr } = ran(version);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toBe(`hivemind needs node ${oldest} or newer; this is ${version}\n`);
  }
  for (const version of [`${oldest}.0`, "22.1.0", "100.0.0"]) expect(ran(version).status).toBe(0);
});
