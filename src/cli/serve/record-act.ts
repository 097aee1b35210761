// Every action through the API is an event: what, by whom, from where, and what became of it.

import type { ActOutcome } from "../../events/event.js";
import type { Hive } from "../../hive/hive.js";
import type { Answer } from "../../web/endpoint.js";
import { fitting } from "../approve/record-decision.js";
import type { Person } from "../person.js";
import type { Field, Given } from "./fields.js";

export async function recordAct(
  hive: Pick<Hive, "emit">,
  { name: by, from }: Person,
  action: string,
  what: string | null,
  outcome: ActOutcome,
): Promise<void> {
  await hive.emit({
    name: "web.acted",
    action,
    what: what === null ? null : fitting(what),
    by: fitting(by),
    from: fitting(from),
    outcome,
  });
}

/** Whom or what it is about. Not the words of a message: the receipts do not keep them either. */
export function subjectOf(fields: readonly Field[], given: Given): string | null {
  const words = fields.flatMap(({ name, type, of }) => {
    const value = given.get(name);
    const isFreeText = type === "words" && "argument" in of && (of.argument.meaning ?? "text") === "text";
    if (value === undefined || isFreeText) return [];
    if ("argument" in of) return value === true ? [] : value;
    return value === true ? `--${of.option.name}` : `--${of.option.name}=${value}`;
  });
  return words.length === 0 ? null : words.flat().join(" ");
}

export function outcomeOf({ status, value }: Answer): ActOutcome {
  if (status === 200) return "done";
  if (status === 202) return "outcome" in value && value.outcome === "held" ? "held" : "queued";
  return status === 503 ? "failed" : "refused";
}
