// Completion scripts for the shells. They ask hivemind itself for proposals (`complete.ts`).

import { UsageError } from "../../base/errors.js";
import type { Command } from "../command.js";

const scripts: Readonly<Record<string, string>> = {
  bash: `_hivemind() {
  local IFS=$'\\n'
  local typed=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # Bash breaks words at ":"; a pane's address has one, so the words are taken from the line itself.
  IFS=' ' read -r -a typed <<< "\${COMP_LINE:0:COMP_POINT}"
  typed=("\${typed[@]:1}")
  [[ "\${COMP_LINE:COMP_POINT-1:1}" == " " ]] && typed+=("")
  COMPREPLY=($("\${COMP_WORDS[0]}" __complete "\${typed[@]}" 2>/dev/null | cut -f1))
  local current="\${typed[-1]-}"
  [[ "$current" == *:* && "$COMP_WORDBREAKS" == *:* ]] && COMPREPLY=("\${COMPREPLY[@]#"\${current%"\${current##*:}"}"}")
}
complete -o default -F _hivemind hivemind hm hiveMind`,
  zsh: `#compdef hivemind hm hiveMind
_hivemind() {
  local -a lines proposals
  local line
  lines=("\${(@f)$("\${words[1]}" __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do proposals+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); done
  (( $#lines )) && [[ -n "$lines[1]" ]] && _describe hivemind proposals || _files
}
compdef _hivemind hivemind hm hiveMind`,
  fish: `function __hivemind_complete
    set -l typed (commandline -opc) (commandline -ct)
    $typed[1] __complete $typed[2..-1] 2>/dev/null
end
for name in hivemind hm hiveMind
    complete -c $name -f -a '(__hivemind_complete)'
end`,
};

export const completion: Command = {
  words: "completion",
  about: "print a completion script for your shell",
  args: [{ name: "shell", about: "bash, zsh or fish", choices: Object.keys(scripts) }],
  examples: [
    'eval "$(hivemind completion bash)"        # in ~/.bashrc',
    'eval "$(hivemind completion zsh)"         # in ~/.zshrc, after compinit',
    "hivemind completion fish > ~/.config/fish/completions/hivemind.fish",
  ],
  async run(cli, input) {
    const shell = input.need("shell");
    const script = scripts[shell];
    if (script === undefined) {
      throw new UsageError(`no completion for "${shell}"`, {
        hint: `one of: ${Object.keys(scripts).join(", ")}`,
      });
    }
    cli.out.print(script);
  },
};
