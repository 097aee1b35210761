// The ways to run a client in a pane: a shell command around the client's own.

import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Way {
  name: string;
  /** Outside the machine's first pid namespace its registry file alone proves nothing. */
  isContained?: true;
  /** Nothing but a registry file that names its pid namespace shows that it is a client: 2.1.197 names none. */
  needsDomain?: true;
  /** The input of a shell in the pane; `argv` starts the client, its program first. */
  command(argv: readonly string[], folder: string): string;
}

export const ways: readonly Way[] = [
  { name: "by its own name", command: (argv) => words(argv) },
  { name: "through a link of another name", command: (argv, folder) => words(linked(argv, folder)) },
  {
    name: "through a wrapper script",
    command: (argv, folder) => {
      const script = join(folder, "start-it");
      writeFileSync(script, `#!/bin/sh\n${words(argv)}\ntrue\n`, { mode: 0o755 });
      return script;
    },
  },
  { name: "under another name", command: (argv) => `(exec -a editor ${words(argv)})` },
  { name: "under setsid", command: (argv) => `setsid -w ${words(argv)}` },
  {
    name: "under setsid, without a parent",
    command: (argv) => `setsid -f ${words(argv)}; exec tail -f /dev/null`,
  },
  { name: "on a terminal of its own", command: (argv) => `script -qc ${word(words(argv))} /dev/null` },
  {
    name: "in a pid namespace",
    isContained: true,
    command: (argv) => `unshare --pid --fork --mount-proc ${words(argv)}`,
  },
  {
    name: "through a link in a pid namespace",
    isContained: true,
    needsDomain: true,
    command: (argv, folder) => `unshare --pid --fork --mount-proc ${words(linked(argv, folder))}`,
  },
];

/** The program is the last word before the options: an interpreter may come before it. */
function linked(argv: readonly string[], folder: string): string[] {
  const at = argv.findIndex((each) => each.startsWith("-")) - 1;
  const link = join(folder, "cc");
  symlinkSync(argv[at]!, link);
  return argv.with(at, link);
}

export function words(argv: readonly string[]): string {
  return argv.map(word).join(" ");
}

function word(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
