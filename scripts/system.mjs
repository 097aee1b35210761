// What hivemind needs from the system, checked before anything is built or run; with `--test` what its tests need too.
// Missing, and we are root on a machine with apt: installed, and said. Otherwise one error with what to type.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";

const isForTests = process.argv.includes("--test");

const needs = [
  { program: "tmux", package: "tmux", versionFlag: "-V", atLeast: [3, 2] },
  { program: "screen", package: "screen", versionFlag: "--version", atLeast: [4, 0] },
  { program: "ps", package: "procps", versionFlag: "-V", atLeast: null },
  ...(isForTests
    ? [
        { program: "git", package: "git", versionFlag: "--version", atLeast: null },
        { program: "ssh", package: "openssh-client", versionFlag: "-V", atLeast: null },
        { program: "/usr/sbin/sshd", package: "openssh-server", versionFlag: "-V", atLeast: null },
      ]
    : []),
];

const missing = needs.filter((need) => !isMet(need));
if (missing.length > 0) {
  install(missing);
  const still = missing.filter((need) => !isMet(need));
  if (still.length > 0) fail(still);
}
// The tests run an ssh server of their own; as root it insists on this empty folder, which a reboot takes away.
if (isForTests && process.platform === "linux" && process.getuid?.() === 0) {
  mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
}

function isMet({ program, versionFlag, atLeast }) {
  const { error, stdout, stderr } = spawnSync(program, [versionFlag], { encoding: "utf8" });
  if (error) return false;
  const version = /(\d+)\.(\d+)/.exec(`${stdout}${stderr}`);
  // A build from a tmux checkout calls itself "master"; ps of macOS knows no version flag.
  if (atLeast === null || version === null) return true;
  const [major, minor] = [Number(version[1]), Number(version[2])];
  return major > atLeast[0] || (major === atLeast[0] && minor >= atLeast[1]);
}

function install(wanted) {
  const hasApt = !spawnSync("apt-get", ["--version"], { stdio: "ignore" }).error;
  if (!hasApt || process.getuid?.() !== 0) fail(wanted);
  const packages = wanted.map((need) => need.package);
  console.error(
    `hivemind: installing ${packages.join(", ")} with apt-get, which hivemind needs from the system`,
  );
  const steps = [
    ["update", "-q"],
    ["install", "-q", "-y", "--no-install-recommends", ...packages],
  ];
  if (!withoutServices(() => steps.every(apt))) fail(wanted);
}

function apt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const { status, stdout, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8" });
  if (status !== 0) console.error(`${stdout}${stderr}`);
  return status === 0;
}

/** A package that has a service starts it when it is installed, unless this file says no. */
function withoutServices(work) {
  const policy = "/usr/sbin/policy-rc.d";
  if (!isForTests || existsSync(policy)) return work();
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(policy);
  }
}

function fail(wanted) {
  const names = wanted.map(({ program, atLeast }) =>
    atLeast ? `${program} ≥ ${atLeast.join(".")}` : program,
  );
  const packages = wanted.map((need) => need.package).join(" ");
  const command =
    process.platform === "darwin" ? `brew install ${packages}` : `sudo apt-get install ${packages}`;
  console.error(`hivemind needs ${names.join(" and ")} from the system.\nType: ${command}`);
  process.exit(1);
}
