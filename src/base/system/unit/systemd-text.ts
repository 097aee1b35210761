// The text of a systemd unit. Pure.
//
// - systemd reads `%` as a specifier and `\` as an escape; both are doubled. It keeps no line break in a value.
// - The `:` before the program says that `$` in the words means nothing. A program with a quote or a backslash in its path
//   is refused by systemd, so sh starts it and becomes it.
// - systemd ends only the unit's own process: what that process started, a tmux server, belongs to the user.

import { HiveError } from "../../errors.js";
import { madeLine, type UnitWish } from "./unit.js";

export function unitText({ name, madeBy, about, program, variables, madeFolders }: UnitWish): string {
  const [command, ...args] = /["'\\]/.test(program[0]) ? ["/bin/sh", "-c", becoming, ...program] : program;
  const [made, removed] = madeBy;
  return `${[
    `# ${madeLine(madeFolders)}`,
    `# Made by: ${made}`,
    `# Removed by: ${removed}`,
    "[Unit]",
    `Description=${about}`,
    "# After 10 failures in 10 minutes systemd gives up.",
    "StartLimitIntervalSec=600",
    "StartLimitBurst=10",
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=${[`:${command}`, ...args].map((word) => quoted(word, name)).join(" ")}`,
    ...[...variables].map(([variable, value]) => `Environment=${quoted(`${variable}=${value}`, name)}`),
    "Restart=on-failure",
    "RestartSec=10",
    "# Only the program itself ends with this unit: a tmux server that it started goes on.",
    "KillMode=process",
    "OOMPolicy=continue",
    "",
    "[Install]",
    "WantedBy=default.target",
  ].join("\n")}\n`;
}

const becoming = 'exec "$0" "$@"';

function quoted(word: string, name: string): string {
  const control = /[\u0000-\u001f\u007f]/.test(word);
  if (control || /\p{Cs}/u.test(word))
    throw new HiveError(`a unit file cannot hold this value: ${JSON.stringify(word)}`, {
      hint: `it has a line break or another control character; without it ${name} can be installed`,
    });
  return `"${word.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}
