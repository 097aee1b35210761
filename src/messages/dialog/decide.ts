// Hands a person's decision to the hook that waits for it, and looks for the proof in the conversation.
//
// [DC1] A request that changed, ended or was answered in its dialog is refused, and nothing is handed over. So is one
//       that the conversation contradicts.
// [DC2] A decision counts as proved only if the conversation records it.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../../agents/all.js";
import type { Decision, RequestFate, RequestForms } from "../../agents/asked.js";
import { HiveError } from "../../base/errors.js";
import { type Fates, fatesOf, isOver, recordsOf } from "../../fleet/request-fate.js";
import type { FoundRequest } from "../../fleet/requests.js";
import { limits } from "../../limits.js";
import type { Stores } from "../../stores/stores.js";

/** Returns whether the conversation shows the decision. */
export async function decide(
  { requests }: Pick<Stores, "requests">,
  request: FoundRequest,
  decision: Decision,
): Promise<boolean> {
  const forms = agentOfKind(request.kind)!.requests!;
  const input = request.file.input!;
  const before = await fatesBefore(request, forms);
  if (isOver(before)) throw gone(request, "it was answered already");
  if (!(await requests.answer(request.file, forms.decisionText(input, decision))))
    throw gone(request, "it changed, or was answered already");
  const fate = await fateAfter(request, forms, before);
  if (fate === "open") return false;
  // Some clients record only the result of a sub-agent's tool.
  const isResult = request.asked.subAgent !== null && fate === "ended";
  if (isResult || fate === (decision.kind === "deny" ? "denied" : "allowed")) return true;
  throw gone(request, "it was answered in its pane in the same moment");
}

export function gone({ id, who }: Pick<FoundRequest, "id" | "who">, why: string): HiveError {
  return new HiveError(`${id} of ${who} is gone: ${why}`, { hint: "list the open requests: hivemind inbox" });
}

/** A client records what it asks a moment after its hook began. Until then only its older tools are there. */
async function fatesBefore(request: FoundRequest, forms: RequestForms): Promise<Fates> {
  const end = performance.now() + limits.askedRecordMs;
  for (;;) {
    const fates = fatesOf(request, forms);
    if (fates.size > 0 || !asksOther(request, forms)) return fates;
    if (performance.now() > end) throw gone(request, "its conversation asks for something else");
    await rest(limits.deliverPollMs);
  }
}

/** `open` if the conversation does not show the answer in time. */
async function fateAfter(request: FoundRequest, forms: RequestForms, before: Fates): Promise<RequestFate> {
  const end = performance.now() + limits.decideProofMs;
  for (;;) {
    const fate = newFate(before, fatesOf(request, forms));
    if (fate !== "open" || performance.now() > end) return fate;
    await rest(limits.deliverPollMs);
  }
}

/** What became of the uses that were open. A decision of the hook is about one of them, whatever else ended. */
export function newFate(before: Fates, now: Fates): RequestFate {
  const fates = [...now].flatMap(([id, fate]) => ((before.get(id) ?? "open") === "open" ? [fate] : []));
  const decided = fates.find((fate) => fate === "allowed" || fate === "denied");
  if (decided !== undefined) return decided;
  return fates.length > 0 && fates.every((fate) => fate === "ended") ? "ended" : "open";
}

/** Whether the conversation shows that the agent waits, but for something else. */
function asksOther(request: FoundRequest, forms: RequestForms): boolean {
  return recordsOf(request, forms).some((lines) => forms.pendingIn(lines).length > 0);
}
