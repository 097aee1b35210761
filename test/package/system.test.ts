import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
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

const all = { tmux: "tmux 3.3a" };

test("a complete system passes without output", () => {
  expect(checked(all)).toEqual({ status: 0, stderr: "" });
});

test.runIf(process.platform === "linux")("only the tests need GNU screen and ps", () => {
  const { status, stderr } = checked({ ...all, "apt-get": "apt 2.6" }, "--test");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^hivemind needs ps and screen ≥ 4\.0 and openssl/m);
  expect(stderr).toMatch(/^Type: sudo apt-get install procps screen openssl/m);
});

/** A machine of root's whose apt-get is this script. Returns what was printed, and the calls of apt-get. */
function installed(script: string) {
  const bin = join(testHome().root, "bin");
  mkdirSync(bin);
  const log = join(bin, "log");
  const lines = [
    "#!/bin/sh",
    `[ "$1" = --version ] && exit`,
    `echo "$*" >>${log}`,
    `add() { printf '#!/bin/sh\necho tmux 3.5a\n' >${bin}/tmux; chmod 755 ${bin}/tmux; }`,
    script,
  ];
  writeFileSync(join(bin, "apt-get"), `${lines.join("\n")}\n`, { mode: 0o755 });
  for (const name of ["chmod", "grep"]) symlinkSync(`/bin/${name}`, join(bin, name));
  const ran = spawnSync(process.execPath, [system], { env: { PATH: bin }, encoding: "utf8" });
  const calls = readFileSync(log, "utf8").trim().split("\n");
  return { status: ran.status, said: ran.stderr.trim().split("\n"), calls };
}

const add = "install -q -y --no-install-recommends tmux";
const begun = "hivemind: installing tmux with apt-get";

describe.runIf(process.getuid?.() === 0)("root on Debian", () => {
  test("the lists of packages are not fetched if those that are there are enough", () => {
    expect(installed("add")).toEqual({ status: 0, said: [begun], calls: [add] });
  });

  test("without lists they are fetched first", () => {
    const script = `case $1 in update) : >$0.lists ;; *) [ -e $0.lists ] && add || exit 100 ;; esac`;
    expect(installed(script)).toEqual({ status: 0, said: [begun], calls: [add, "update -q", add] });
  });

  test("a failed update is not the end if the lists that came are enough", () => {
    const script = `case $1 in update) : >$0.lists; echo E: bad source >&2; exit 100 ;; *) [ -e $0.lists ] && add || exit 100 ;; esac`;
    expect(installed(script)).toEqual({ status: 0, said: [begun], calls: [add, "update -q", add] });
  });

  test("what apt printed is shown if nothing helped", () => {
    const { status, said } = installed(`echo "E: cannot $1" >&2; exit 100`);
    expect(status).toBe(1);
    expect(said).toEqual([
      begun,
      "E: cannot update",
      "E: cannot install",
      "",
      "hivemind needs tmux ≥ 3.2 from the system.",
      "Type: sudo apt-get install tmux",
    ]);
  });

  test.each([
    [
      "/var/lib/dpkg/lock-frontend. It is held by process 12 (apt)",
      "process 12 (apt) uses apt (/var/lib/dpkg/lock-frontend)",
    ],
    [
      "/var/lib/dpkg/lock - open (11: Resource temporarily unavailable)",
      "another program uses apt (/var/lib/dpkg/lock)",
    ],
  ])("a lock of apt is waited for, and the person is told: %s", (lock, told) => {
    const script = `grep -q Timeout ${"$"}{0%/*}/log || { echo "E: Could not get lock ${lock}" >&2; exit 100; }; add`;
    const { status, said, calls } = installed(script);
    expect(status).toBe(0);
    expect(said).toEqual([begun, `hivemind: ${told}; waiting up to 5 minutes`]);
    expect(calls).toEqual([add, `-o DPkg::Lock::Timeout=60 ${add}`]);
  });
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
