// The sh lines that every handler begins with: they set `$about` to the beginning of its own line of JSON, without the
// closing bracket, and `$client` to a name of the client that no client of another container has. The line is valid JSON
// whatever the environment holds.

import { nameClient, readBootClock } from "../../../base/system/sh-lines.js";

export const aboutLines = `LC_ALL=C tmux=$TMUX pane=$TMUX_PANE
case $tmux in *[[:cntrl:]\\"\\\\]*) tmux= ;; esac
case $pane in %*) ;; *) pane= ;; esac
case \${pane#%} in *[!0-9]*) pane= ;; esac
# How long the machine has been up: a clock that is set does not change it.
${readBootClock}
${nameClient}
about="{\\"event\\":\\"$event\\",\\"pid\\":$PPID,\\"tmux\\":\\"$tmux\\",\\"pane\\":\\"$pane\\""
about="$about,\\"ns\\":\\"$ns\\",\\"boot\\":\\"$boot\\",\\"up\\":\\"$up\\""`;
