// What the client's process arguments say about its session. They describe the start: `/clear` and `/resume` do not
// change them, and no file says which process writes a session.
//
// - `--session-id U` creates U; `--resume U` continues it in the same file.
// - `latest`, an index, or `--resume` alone cannot be resolved from outside.
// - The value of a prompt is text, even if it looks like an option.

import { readSessionId } from "../../names/gates.js";
import type { SessionArguments } from "../launch.js";
import { ownArguments } from "./recognise.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const options = optionsIn(ownArguments(argv));
  const created = readSessionId(options.get("--session-id"));
  const resumed = readSessionId(options.get("--resume"));
  return {
    began: created ?? resumed,
    ...(created === null ? {} : { isCreated: true }),
    forkedFrom: null,
    model: options.get("--model") || null,
    name: null,
  };
}

const shortNames: Readonly<Record<string, string>> = {
  "-r": "--resume",
  "-m": "--model",
  "-i": "--prompt-interactive",
};

/** The last value of each option, under its long name. */
function optionsIn(words: readonly string[]): ReadonlyMap<string, string> {
  const options = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const [, name, joined] = /^(--?[a-z][a-z-]*)(?:=(.*))?$/s.exec(words[at]!) ?? [];
    if (name === undefined) continue;
    const long = shortNames[name] ?? name;
    const next = words[at + 1];
    const takesNext = joined === undefined && (long === "--prompt-interactive" || !next?.startsWith("-"));
    if (takesNext) at++;
    options.set(long, joined ?? (takesNext ? (next ?? "") : ""));
  }
  return options;
}
