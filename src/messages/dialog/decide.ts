// Hands a person's decision to the hook that waits for it, and looks for the proof in the conversation.
//
// [DC1] A request that changed, ended or was answered in its dialog is refused, and nothing is handed over. So is one
//       that the conversation contradicts.
// [DC2] A decision counts as proved only if the conversation records it.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../../agents/all.js";
import type { Decision, RequestFate, RequestForms } from "../../agents/asked.js";
import { HiveError } from "../../base/errors.js";
import { openRegular } from "../../base/files/atomic-file.js";
import type { FoundRequest } from "../../fleet/requests.js";
import { limits } from "../../limits.js";
import type { Stores } from "../../stores/stores.js";
import { findSession } from "../../transcripts/find.js";

/** Returns whether the conversation shows the decision. */
export async function decide(
  { requests }: Pick<Stores, "requests">,
  request: FoundRequest,
  decision: Decision,
): Promise<boolean> {
  const forms = agentOfKind(request.kind)!.requests!;
  const input = request.file.input!;
  const before = fateOf(request, forms);
  if (before !== "unknown" && before !== "open") throw gone(request, "it was answered already");
  if (before === "unknown" && asksOther(request, forms))
    throw gone(request, "its conversation asks for something else");
  if (!(await requests.answer(request.file, forms.decisionText(input, decision))))
    throw gone(request, "it changed, or was answered already");
  const fate = await fateAfter(request, forms);
  if (fate === "unknown" || fate === "open") return false;
  // Some clients record only the result of a sub-agent's tool.
  const isResult = request.asked.subAgent !== null && fate === "ended";
  if (isResult || fate === (decision.kind === "deny" ? "denied" : "allowed")) return true;
  throw gone(request, "it was answered in its pane in the same moment");
}

export function gone({ id, who }: Pick<FoundRequest, "id" | "who">, why: string): HiveError {
  return new HiveError(`${id} of ${who} is gone: ${why}`, { hint: "see what waits: hivemind inbox" });
}

async function fateAfter(request: FoundRequest, forms: RequestForms): Promise<RequestFate> {
  const end = performance.now() + limits.decideProofMs;
  for (;;) {
    const fate = fateOf(request, forms);
    if ((fate !== "unknown" && fate !== "open") || performance.now() > end) return fate;
    await rest(limits.deliverPollMs);
  }
}

/** From every file of the conversation: one session id can have several. */
export function fateOf(request: FoundRequest, forms: RequestForms): RequestFate {
  const { file } = request;
  const fates = recordsOf(request, forms).map((lines) => forms.fateIn(lines, file.input!, file.clockAtMs));
  return fates.toSorted((a, b) => certainty.indexOf(b) - certainty.indexOf(a))[0] ?? "unknown";
}

/** Whether the conversation shows that the agent waits, but for something else. */
function asksOther(request: FoundRequest, forms: RequestForms): boolean {
  return recordsOf(request, forms).some((lines) => forms.pendingIn(lines).length > 0);
}

/** The ends of the files in which the client records the request. */
function recordsOf({ asked, folder }: FoundRequest, forms: RequestForms): string[] {
  if (asked.session === null) return [];
  return findSession([folder], asked.session).files.map(({ path }) => endOf(forms.recordFile(path, asked)));
}

const certainty: readonly RequestFate[] = ["unknown", "open", "ended", "denied", "allowed"];

/** The records of a request are the last ones before its answer. */
function endOf(path: string): string {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return "";
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, limits.transcriptTailBytes.at(-1)!));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length)).toString("utf8");
  } finally {
    closeSync(fd);
  }
}
