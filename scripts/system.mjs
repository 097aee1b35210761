// What hivemind needs from the system, checked before anything is built or run.
// Missing, and we are root on a machine with apt: installed, and said. Otherwise one error with what to type.

import { spawnSync } from "node:child_process";

const needs = [
  { program: "tmux", package: "tmux", versionFlag: "-V", atLeast: [3, 2] },
  { program: "screen", package: "screen", versionFlag: "--version", atLeast: [4, 0] },
  { program: "ps", package: "procps", versionFlag: "-V", atLeast: null },
];

const missing = needs.filter((need) => !isMet(need));
if (missing.length > 0) {
  install(missing);
  const still = missing.filter((need) => !isMet(need));
  if (still.length > 0) fail(still);
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
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  for (const args of [
    ["update", "-q"],
    ["install", "-q", "-y", "--no-install-recommends", ...packages],
  ]) {
    const { status, stdout, stderr } = spawnSync("apt-get", args, { env, encoding: "utf8" });
    if (status !== 0) {
      console.error(`${stdout}${stderr}`);
      fail(wanted);
    }
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
