// The shells that may run a hook: whatever /bin/sh is, with the programs of GNU or of busybox.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Shell {
  name: string;
  argv: string[];
  /** Where its programs are; null: where those of the test are. */
  PATH: string | null;
}

const all = [["sh"], ["dash"], ["bash"], ["bash", "--posix"], ["zsh", "--emulate", "sh"], ["busybox", "sh"]];

/** Those that this machine has. `remove` takes away what they need. */
export function openShells(): { shells: Shell[]; remove(): void } {
  const found = all.filter(
    ([program, ...args]) => spawnSync(program!, [...args, "-c", "exit 0"]).status === 0,
  );
  const shells = found.map((argv): Shell => ({ name: argv.join(" "), argv, PATH: null }));
  if (!found.some(([program]) => program === "busybox")) return { shells, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "hm-busybox-"));
  const busybox = execFileSync("sh", ["-c", "command -v busybox"], { encoding: "utf8" }).trim();
  for (const applet of execFileSync(busybox, ["--list"], { encoding: "utf8" }).trim().split("\n"))
    symlinkSync(busybox, join(folder, applet));
  // Its `head` reads ahead, as that of BSD and macOS does, and it has no flag that only GNU has.
  shells.push({ name: "busybox sh without GNU programs", argv: [join(folder, "sh")], PATH: folder });
  return { shells, remove: () => rmSync(folder, { recursive: true }) };
}
