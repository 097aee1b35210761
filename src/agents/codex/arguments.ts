// What the client's process arguments say about its session. They describe the start: `/new`, `/fork` and `/resume`
// inside the client do not change them.
//
// - `resume U`: the process began in U. `fork U`: U is the parent, and the client chose the new id.
// - A value that is not a UUID is a name, which says nothing certain; without a value a picker opens.
// - `--model` and `-c model=…` choose the model. The client takes the last of several.

import { readSessionId } from "../../names/gates.js";
import type { SessionArguments } from "../launch.js";
import { commandWords } from "./words.js";

export function sessionArguments(argv: readonly string[]): SessionArguments {
  const words = commandWords(argv);
  const named = words?.options.has("--last") ? null : readSessionId(words?.rest[0]);
  const models = [
    ...(words?.options.get("--config") ?? []).map(modelIn),
    ...(words?.options.get("--model") ?? []),
  ];
  return {
    began: words?.subcommand === "resume" ? named : null,
    forkedFrom: words?.subcommand === "fork" ? named : null,
    model: models.findLast((model) => model !== null) ?? null,
    name: null,
  };
}

/** `model="gpt-5.5"`: a TOML value, or else plain text. */
function modelIn(setting: string | null): string | null {
  return /^\s*model\s*=\s*(["']?)(.+)\1\s*$/s.exec(setting ?? "")?.[2] ?? null;
}
