// What claw's process arguments say of its session.
//
// [CWA1] `--resume ID` with the id of a managed session: the process began in it. `latest` and paths name none that
//        could be known from outside.
// [CWA2] A process that answers once and ends is no conversation: with `-p` or `--print`, or when its first word is no
//        option but a command or a question.

import { readManagedId } from "../../names/managed-id.js";
import type { SessionArguments } from "../agent.js";

export function clawArguments(argv: readonly string[]): SessionArguments {
  return {
    began: null,
    forkedFrom: null,
    managed: readManagedId(optionValue(argv, "--resume")),
    model: optionValue(argv, "--model"),
    name: null,
  };
}

export function isConversation(argv: readonly string[]): boolean {
  if (argv.includes("-p") || argv.includes("--print")) return false;
  const first = argv[argv.findIndex((word) => /(^|\/)claw$/.test(word)) + 1];
  return first === undefined || first.startsWith("-");
}

function optionValue(argv: readonly string[], option: string): string | null {
  for (const [at, word] of argv.entries()) {
    if (word.startsWith(`${option}=`)) return word.slice(option.length + 1);
    if (word !== option) continue;
    const value = argv[at + 1];
    return value === undefined || value.startsWith("-") ? null : value;
  }
  return null;
}
