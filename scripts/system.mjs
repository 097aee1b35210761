// Checks the system programs that hivemind needs, before anything is built or run; with `--test` also those of its
// tests, with `--web` the browser of its tests, with `--fleet` a NATS server. On a machine with apt, root installs
// missing ones and prints it. Otherwise one error says what to type.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";

const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`hivemind needs node 20.19 or newer; this is ${process.versions.node}`);
  process.exit(1);
}

const isForTests = process.argv.includes("--test");
const isForFleet = process.argv.includes("--fleet");
// Debian has it where only root looks.
const natsServer = existsSync("/usr/sbin/nats-server") ? "/usr/sbin/nats-server" : "nats-server";

const tmux = { program: "tmux", package: "tmux", versionFlag: "-V", atLeast: [3, 2] };
const ps = { program: "ps", package: "procps", versionFlag: "-V", atLeast: null };

const needs = [
  tmux,
  // Linux has /proc.
  ...(process.platform !== "linux" || isForTests ? [ps] : []),
  ...(isForTests
    ? [
        { program: "screen", package: "screen", versionFlag: "--version", atLeast: [4, 0] },
        { program: "openssl", package: "openssl", versionFlag: "version", atLeast: null },
        { program: "git", package: "git", versionFlag: "--version", atLeast: null },
        { program: "ssh", package: "openssh-client", versionFlag: "-V", atLeast: null },
        { program: "/usr/sbin/sshd", package: "openssh-server", versionFlag: "-V", atLeast: null },
      ]
    : []),
  // The hooks run in other shells too, and without the programs of GNU. Every Mac has lsof.
  ...(isForTests && process.platform === "linux"
    ? ["busybox", "zsh", "lsof"].map((name) => ({
        program: name,
        package: name,
        versionFlag: "--help",
        atLeast: null,
      }))
    : []),
  ...(process.argv.includes("--web")
    ? [{ program: "chromium", package: "chromium", versionFlag: "--version", atLeast: null }]
    : []),
  ...(isForFleet
    ? [{ program: natsServer, package: "nats-server", versionFlag: "--version", atLeast: [2, 9] }]
    : []),
];

const lockWaitSeconds = 300;
/** `E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 4711 (unattended-upgr)` */
const lockForm = /Could not get lock (\S+?)\.?(?= )(?: It is held by (process \d+(?: \([^)]*\))?))?/;

const missing = needs.filter((need) => !isMet(need));
if (missing.length > 0) {
  install(missing);
  const still = missing.filter((need) => !isMet(need));
  if (still.length > 0) fail(still);
}
// The tests run their own ssh server; as root it needs this empty folder, which a reboot removes.
if (isForTests && process.platform === "linux" && process.getuid?.() === 0) {
  mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
}

function isMet(need) {
  const version = versionOf(need);
  const { atLeast } = need;
  if (version === null) return false;
  // A build from a tmux checkout calls itself "master"; ps of macOS has no version flag.
  if (atLeast === null || version === "") return true;
  const [major, minor] = version.split(".").map(Number);
  return major > atLeast[0] || (major === atLeast[0] && minor >= atLeast[1]);
}

/** Null if the program is missing, empty if it does not print a version. */
function versionOf({ program, versionFlag }) {
  const { error, stdout, stderr } = spawnSync(program, [versionFlag], { encoding: "utf8" });
  return error ? null : (/\d+\.\d+/.exec(`${stdout}${stderr}`)?.[0] ?? "");
}

function hasApt() {
  return !spawnSync("apt-get", ["--version"], { stdio: "ignore" }).error;
}

/** The lists of packages are fetched only if those that are there do not lead to the packages. */
function install(wanted) {
  if (!hasApt() || process.getuid?.() !== 0) fail(wanted);
  const packages = wanted.map((need) => need.package);
  console.error(`hivemind: installing ${packages.join(", ")} with apt-get`);
  const add = () => apt("install", "-q", "-y", "--no-install-recommends", ...packages);
  withoutServices(() => {
    if (add().isDone) return;
    const update = apt("update", "-q");
    // One unreachable source fails the update; the lists of the others may be enough.
    const again = add();
    if (again.isDone) return;
    console.error(update.isDone ? again.printed : `${update.printed}${again.printed}`);
    fail(wanted);
  });
}

/** Waits while another program uses apt: systems update themselves soon after they start. */
function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" };
  const lastMs = performance.now() + lockWaitSeconds * 1000;
  for (let wait = []; ; wait = ["-o", "DPkg::Lock::Timeout=60"]) {
    const { status, stdout, stderr } = spawnSync("apt-get", [...wait, ...args], { env, encoding: "utf8" });
    const [, lock, holder] = lockForm.exec(stderr) ?? [];
    if (status === 0 || lock === undefined || performance.now() > lastMs)
      return { isDone: status === 0, printed: `${stdout}${stderr}` };
    if (wait.length === 0)
      console.error(
        `hivemind: ${holder ?? "another program"} uses apt (${lock}); waiting up to ${lockWaitSeconds / 60} minutes`,
      );
    // apt itself waits for only one of its three locks.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  }
}

/** A package with a service starts it when it is installed, unless this file prevents it. */
function withoutServices(work) {
  const policy = "/usr/sbin/policy-rc.d";
  if (!(isForTests || isForFleet) || existsSync(policy)) return work();
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  // `fail` ends the process.
  process.once("exit", () => rmSync(policy, { force: true }));
  work();
  rmSync(policy);
}

function fail(wanted) {
  const old = wanted.filter((need) => versionOf(need) !== null);
  const missing = wanted.filter((need) => !old.includes(need));
  for (const need of old) {
    const needed = `${need.atLeast.join(".")} or newer`;
    console.error(`${need.program} ${versionOf(need)} is too old: hivemind needs ${needed}.`);
    console.error("If this system has no newer package, build it from source, or use a newer system.");
  }
  if (missing.length > 0) {
    const names = missing.map(({ program, atLeast }) =>
      atLeast ? `${program} ≥ ${atLeast.join(".")}` : program,
    );
    console.error(`hivemind needs ${names.join(" and ")} from the system.\n${howToInstall(missing)}`);
  }
  process.exit(1);
}

function howToInstall(wanted) {
  const packages = wanted.map((need) => need.package);
  if (process.platform === "darwin") return `Type: brew install ${packages.join(" ")}`;
  if (hasApt()) return `Type: sudo apt-get install ${packages.join(" ")}`;
  return `Install the package${packages.length > 1 ? "s" : ""} ${packages.join(", ")}.`;
}
