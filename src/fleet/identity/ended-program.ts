// Which agent a start command starts, when its process has ended. Pure.
//
// Reads the command as tmux prints it: `env` with its variables comes before the program. The answer is null for a
// program that is not an agent's.

import { basename } from "node:path";
import { agentOf } from "../../agents/all.js";
import type { SessionArguments } from "../../agents/launch.js";
import type { Kind } from "../../names/kind.js";

export function endedProgram(startCommand: string): { kind: Kind; given: SessionArguments } | null {
  const words = startWords(startCommand);
  const args = words.slice(programAt(words));
  const nothing = {
    pid: 0,
    ppid: 0,
    startTicks: null,
    startedAtMs: 0,
    leader: null,
    tty: null,
    isForeground: false,
  };
  const agent = agentOf({ ...nothing, command: basename(args[0] ?? ""), args });
  return agent === null ? null : { kind: agent.kind, given: agent.argumentsOf(args) };
}

/** The words of a start command, as tmux prints it. */
export function startWords(startCommand: string): string[] {
  return [...startCommand.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "",
  );
}

function programAt(words: readonly string[]): number {
  let at = 0;
  for (;;) {
    const word = words[at] ?? "";
    if (word === "-u") at += 2;
    else if (word === "env" || /^[A-Za-z_]\w*=/.test(word)) at += 1;
    else return at;
  }
}
