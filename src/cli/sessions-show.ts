import type { Said } from "../agents/said.js";
import type { Ends } from "../fleet/conversation.js";
import { type AnySession, hasProcess } from "../fleet/session-list.js";
import { limits } from "../limits.js";
import { mayHide } from "../transcripts/hidden.js";
import { skippedProblems } from "../transcripts/skipped.js";
import type { Command } from "./command.js";
import { boundaryNote, boundaryOf } from "./here.js";
import { noteProblems } from "./problems.js";
import { factLines, saidLines, wordsOf } from "./sessions-facts.js";
import { sessionJson, timeOf } from "./sessions-json.js";
import { allOption, rowOf } from "./sessions-known.js";
import { fileOption, meantOrFile, refOrFile } from "./sessions-meant.js";

export const sessionsShow: Command = {
  words: "sessions show",
  about: "one session: its facts, its relatives, how it began and ended, and how to go on with it",
  args: [refOrFile],
  options: [allOption, fileOption],
  examples: [
    "hivemind sessions show latest",
    "hivemind sessions show 15533422",
    "hivemind sessions show web4-po",
  ],
  get notes() {
    return boundaryNote();
  },
  hasJson: true,
  async run(cli, input) {
    const { out, env } = cli;
    const { hive, fleet, here, every, entry, problems } = await meantOrFile(cli, input, "sessions show");
    const { endsOf } = await import("../fleet/conversation.js");
    const { row, children } = await rowOf(entry, every, hive, fleet, env);
    const ends: Ends =
      entry.path === null ? { first: [], last: [], skippedLines: 0 } : endsOf(entry, limits.shownMessages);
    const deletedAtMs = await deletionOf(entry);
    if (input.flag("json")) {
      const session = { ...sessionJson(row), children, deletedAt: timeOf(deletedAtMs) };
      out.json({
        workspace: boundaryOf(here),
        session,
        first: ends.first.map(saidJson),
        last: ends.last.map(saidJson),
      });
    } else {
      out.lines(factLines(row, children, { nowMs: fleet.takenAtMs, deletedAtMs, env }));
      out.lines(saidLines(ends, out));
    }
    const skipped = skippedProblems(entry.path ?? entry.id, ends.skippedLines);
    const isUnseen = entry.path === null && mayHide(problems, entry.id);
    return noteProblems([...skipped, ...problems], isUnseen, out);
  },
};

/** Null for what the client does not delete; a running session is written to. */
async function deletionOf(entry: AnySession): Promise<number | null> {
  const { store, path, updatedAtMs } = entry;
  if (store === "managed" || path === null || updatedAtMs === null || hasProcess(entry)) return null;
  const { cleanupDays } = await import("../agents/claude/cleanup.js");
  const { sessionFiles } = await import("../fleet/session-files.js");
  const days = cleanupDays(sessionFiles(entry).owner.within);
  return Math.min(updatedAtMs + days * 86_400_000, limits.latestTimeMs);
}

function saidJson(said: Said) {
  return { role: said.role, at: timeOf(said.atMs), text: wordsOf(said) };
}
