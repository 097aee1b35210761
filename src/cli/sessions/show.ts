import type { Utterance } from "../../agents/utterance.js";
import type { Ends } from "../../fleet/sessions/conversation.js";
import { type AnySession, hasProcess } from "../../fleet/sessions/session-list.js";
import { limits } from "../../limits.js";
import { skippedProblems } from "../../transcripts/scan/skipped.js";
import { mayBeHidden } from "../../transcripts/unreadable.js";
import type { Command } from "../command.js";
import { farRead, takingHosts } from "../far/also-far.js";
import { noteProblems } from "../problems.js";
import { boundaryNote, boundaryOf } from "../workspace.js";
import { noteBeginning } from "./beginning.js";
import { allOption, fileOption, knownSessions, meantOrFile, refOrFile, rowOf } from "./known.js";
import { sessionJson, timeOf } from "./session-json.js";
import { factLines, utteranceLines, wordsOf } from "./show-facts.js";

export const sessionsShow: Command = {
  words: "sessions show",
  about: "show one session: facts, relatives, first and last messages",
  args: [takingHosts(refOrFile)],
  options: [allOption, fileOption],
  examples: [
    "hivemind sessions show latest",
    "hivemind sessions show 15533422",
    "hivemind sessions show web4-po",
    "hivemind sessions show tester@server",
  ],
  get notes() {
    return boundaryNote();
  },
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, sessionsShow, "ref");
    if (typeof input === "number") return input;
    const { out, env } = cli;
    const known = await meantOrFile(cli, input, "sessions show");
    const { fleet, here, entry, problems } = known;
    const { endsOf } = await import("../../fleet/sessions/conversation.js");
    const { row, children } = await rowOf(entry, known, env);
    const ends: Ends =
      entry.path === null ? { first: [], last: [], skippedLines: 0 } : endsOf(entry, limits.shownMessages);
    const deletedAtMs = await deletionOf(entry);
    if (input.flag("json")) {
      const session = { ...sessionJson(row), children, deletedAt: timeOf(deletedAtMs) };
      const [first, last] = [ends.first.map(messageJson), ends.last.map(messageJson)];
      out.json({ workspace: boundaryOf(here), session, first, last });
    } else {
      const { nextCommands } = await import("./next-commands.js");
      const commands = nextCommands(row, env);
      out.lines(factLines(row, children, { nowMs: fleet.takenAtMs, deletedAtMs, commands }));
      out.lines(utteranceLines(ends, out));
    }
    noteBeginning(entry, fleet, out, "show");
    const skipped = skippedProblems(entry.path ?? entry.id, ends.skippedLines);
    const isUnseen = entry.path === null && mayBeHidden(problems, entry.id);
    return noteProblems([...skipped, ...problems], isUnseen, out);
  },
};

/** Null if the client will not delete it, such as a running session. */
async function deletionOf(entry: AnySession): Promise<number | null> {
  const { store, path, updatedAtMs } = entry;
  if (store === "managed" || path === null || updatedAtMs === null || hasProcess(entry)) return null;
  const { familyOf, registryAgent } = await import("../../agents/all.js");
  if (familyOf(entry.agent) !== registryAgent.kind) return null;
  const { cleanupDays } = await import("../../agents/claude/cleanup.js");
  const { sessionFiles } = await import("../../fleet/sessions/session-files.js");
  const days = cleanupDays(sessionFiles(entry).owner.within);
  return Math.min(updatedAtMs + days * 86_400_000, limits.latestTimeMs);
}

function messageJson(message: Utterance) {
  return { role: message.role, at: timeOf(message.atMs), text: wordsOf(message) };
}

export const sessionsLatest: Command = {
  words: "sessions latest",
  about: "print the id of the newest session of this folder",
  options: [allOption],
  examples: ["hivemind sessions latest", "claude --resume $(hivemind sessions latest)"],
  get notes() {
    return `Skips sessions without messages.\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, input) {
    const known = await knownSessions(cli, input);
    const { latestSession } = await import("../../fleet/sessions/session-find.js");
    const entry = latestSession(known.every, known);
    if (!input.flag("json")) cli.out.print(entry.id);
    else cli.out.json({ session: sessionJson((await rowOf(entry, known, cli.env)).row) });
  },
};
