// Runs the built command as on a system without /proc: `process.platform` says darwin, so processes come from `ps`,
// sockets and folders from `lsof`. The programs are those of this machine, behind a wrapper that counts them and
// understands the flags that only macOS has.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mainProgram, type Ran } from "../command.js";
import type { TestHome } from "../home.js";

const preload = `Object.defineProperty(process, "platform", { value: "darwin" });\n`;

const real = (name: string) => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();

export interface MacRan extends Ran {
  /** The calls of ps, each with its arguments. */
  ps: string[];
  lsof: string[];
  /** How often it listed tmux's panes: once in each look. */
  looks: number;
}

export function asMac(home: TestHome, args: readonly string[]): MacRan {
  const bin = join(home.root, "mac");
  const log = (name: string) => join(bin, `${name}.log`);
  mkdirSync(bin, { recursive: true });
  const place = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$*" >>'${log(name)}'\n${text}\n`, { mode: 0o755 });
  // procps calls \`-E -ww\` \`eww\`, and refuses it together with \`-p\` unless that comes later.
  place("ps", `[ "$1" = -E ] && { shift 2; exec ${real("ps")} eww "$@"; }\nexec ${real("ps")} "$@"`);
  place("sysctl", `[ "$2" = kern.bootsessionuuid ] && exec cat /proc/sys/kernel/random/boot_id\nexit 1`);
  for (const name of ["lsof", "tmux"]) place(name, `exec ${real(name)} "$@"`);
  for (const name of ["ps", "lsof", "sysctl", "tmux"]) rmSync(log(name), { force: true });
  const file = join(bin, "platform.cjs");
  writeFileSync(file, preload);
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", file, mainProgram, ...args], {
    env: { ...home.env, PATH: `${bin}:${home.env.PATH}` },
    cwd: home.work,
    encoding: "utf8",
  });
  const calls = (name: string) => {
    try {
      return readFileSync(log(name), "utf8").trim().split("\n");
    } catch {
      return [];
    }
  };
  const looks = calls("tmux").filter((each) => each.includes("list-panes")).length;
  return { code: status, stdout, stderr, ps: calls("ps"), lsof: calls("lsof"), looks };
}
