// Where the beginning of a fork is, if its client does not copy it into the fork's file.

import type { Fleet } from "../../fleet/observe.js";
import type { AnySession } from "../../fleet/sessions/session-list.js";
import type { Output } from "../output.js";

export function noteBeginning(
  entry: AnySession,
  { index }: Pick<Fleet, "index">,
  out: Pick<Output, "note">,
  command: "show" | "export",
): void {
  const written = entry.store === "transcripts" ? index.byId.get(entry.id)?.[0] : undefined;
  const origin = written?.facts.forkedFrom ?? null;
  if (origin === null || origin.message !== null) return;
  out.note(
    `its file has only what came after the fork; the beginning: hivemind sessions ${command} ${origin.sessionId}`,
  );
}
