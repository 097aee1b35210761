// Which words of agents were typed in a home although their receiver had an inbox: there must be none.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { rootFor } from "../../src/agents/all.js";
import { parseMark } from "../../src/messages/proof.js";
import { speakerIn } from "../../src/messages/speaker.js";
import { historyOf, openReceipts, type Receipt } from "../../src/stores/receipts.js";
import { findSession } from "../../src/transcripts/find.js";
import type { TestHome } from "../home.js";

/** The stores of a home may lie in any folder at its top. */
export function typedWords({ root }: TestHome): string[] {
  const logs = readdirSync(root)
    .map((name) => join(root, name, "hivemind.receipts.log"))
    .filter((path) => existsSync(path));
  return logs.flatMap((path) => {
    const { rows } = openReceipts(path).read();
    const ids = [...new Set(rows.map(({ id }) => id))];
    return ids.filter((id) => isTypedPastInbox(historyOf(rows, id)));
  });
}

/** Commands are always typed: no inbox obeys them. */
function isTypedPastInbox(history: readonly Receipt[]): boolean {
  const typing = history.find(({ step }) => step === "typing");
  const mark = typing === undefined ? null : parseMark(typing.detail);
  if (mark === null || mark.isCommand || speakerIn(history).kind !== "agent") return false;
  const { files } = findSession(rootFor(mark.kind, mark.folder), mark.session);
  const versions = files.flatMap(
    ({ path }) => /"version":"([^"]+)"/.exec(readFileSync(path, "utf8"))?.[1] ?? [],
  );
  return versions.some((version) => version !== "2.1.197");
}
