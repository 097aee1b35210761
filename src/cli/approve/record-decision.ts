// Every decision is an event: who decided, from where, what, and about which request.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { DecisionWord } from "../../events/event.js";
import { requestLine } from "../../fleet/activity/activity.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { FoundRequest } from "../../fleet/requests.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import { decide } from "../../messages/dialog/decide.js";
import { isPaneAddress } from "../../names/gates.js";
import type { Person } from "../person.js";
import type { Decided } from "./decision-for.js";

/** Hands the decision over and records it. An error if the conversation does not show it. */
export async function decideRequest(
  hive: Pick<Hive, "emit" | "stores">,
  person: Person,
  request: FoundRequest,
  { decision, word }: Pick<Decided, "decision" | "word">,
): Promise<void> {
  const isProved = await decide(hive.stores, request, decision);
  await recordDecision(hive, person, request, word);
  if (isProved) return;
  throw new HiveError(
    `${request.id} was handed to ${request.who}, but its conversation does not show it yet`,
    { hint: "see what became of it: hivemind inbox" },
  );
}

export async function recordDecision(
  hive: Pick<Hive, "emit">,
  { name: by, from }: Person,
  about: FoundRequest | { pane: FleetPane; what: string },
  decision: DecisionWord,
): Promise<void> {
  const { pane } = about;
  const isRequest = "asked" in about;
  const what = isRequest ? requestLine(about.asked) : about.what;
  await hive.emit({
    name: "request.decided",
    decision,
    request: isRequest ? about.id : null,
    by,
    from,
    what: fitting(what),
    pane: pane !== null && isPaneAddress(pane.address) ? pane.address : null,
    ...(pane?.agent ? { agent: pane.agent.id } : {}),
  });
}

/** As a field of the log can hold it. */
export function fitting(text: string): string {
  return harmless(text).replaceAll("|", "¦").trim().slice(0, limits.decisionLength);
}
