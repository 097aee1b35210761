// What the arguments of a process say about its session.
//
// `--fork` continues a copy whose id the client chooses at the start. `--continue` continues the newest conversation,
// which was another one when the process started.

import { isSessionOf } from "../../names/gates.js";
import type { SessionArguments } from "../launch.js";
import { commandWords } from "./words.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const { options } = commandWords(argv);
  const given = options.get("--session") ?? "";
  const session = isSessionOf("opencode", given) ? given : null;
  const isFork = options.has("--fork");
  return {
    began: isFork ? null : session,
    forkedFrom: isFork ? session : null,
    model: options.get("--model") ?? null,
    name: null,
  };
}
