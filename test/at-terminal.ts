// A program at a terminal of its own, as in a person's shell: in a tmux that runs nothing else. Its parent is that tmux,
// whoever runs the suite.

import { shellWord } from "../src/base/text/shell-word.js";

/** The words of a program that runs those words at a terminal, and has their output and exit code. */
export function atTerminal(argv: readonly string[]): [string, string[]] {
  const typed = ["env", "-u", "TMUX", "-u", "TMUX_PANE", ...argv].map(shellWord).join(" ");
  return ["sh", ["-c", script, typed]];
}

// tmux closes a pane whose terminal nobody has open.
const script = `
box=$(mktemp -d) && mkfifo "$box/code" || exit
tmux -S "$box/tmux" -f /dev/null new-session -d \\
  "$0 > '$box/out' 2> '$box/err' 3<&0 < /dev/null; echo \\$? > '$box/code'" || exit
read -r code < "$box/code"
cat "$box/out"
cat "$box/err" >&2
rm -r "$box"
exit "$code"`;
