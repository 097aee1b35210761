// What a person types to install a program of the system.

import { onPath } from "../files/on-path.js";

/** Of Debian, Fedora, openSUSE, Arch and Alpine. The packages have the programs' own names. */
const managers: readonly (readonly [program: string, words: string])[] = [
  ["apt-get", "apt-get install"],
  ["dnf", "dnf install"],
  ["zypper", "zypper install"],
  ["pacman", "pacman -S"],
  ["apk", "apk add"],
];

/** A command for pasting; a sentence if the system has no known manager of packages. */
export function installCommand(
  name: string,
  env: NodeJS.ProcessEnv = process.env,
  isRoot = process.getuid?.() === 0,
): string {
  const has = (program: string) => onPath(program, env).length > 0;
  // On a Mac it is there or nothing is; it must not run as root.
  if (process.platform === "darwin" || has("brew")) return `brew install ${name}`;
  const found = managers.find(([program]) => has(program));
  return found === undefined ? `install the package ${name}` : `${isRoot ? "" : "sudo "}${found[1]} ${name}`;
}
