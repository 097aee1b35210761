import type { Said } from "../agents/said.js";
import type { Ends } from "../fleet/conversation.js";
import { limits } from "../limits.js";
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
    const ends: Ends = entry.path === null ? { first: [], last: [] } : endsOf(entry, limits.shownMessages);
    if (input.flag("json")) {
      const session = { ...sessionJson(row), children };
      out.json({
        workspace: boundaryOf(here),
        session,
        first: ends.first.map(saidJson),
        last: ends.last.map(saidJson),
      });
    } else {
      for (const line of factLines(row, children, fleet.takenAtMs)) out.print(line);
      for (const line of saidLines(ends, out)) out.print(line);
    }
    return noteProblems(problems, false, out);
  },
};

function saidJson(said: Said) {
  return { role: said.role, at: timeOf(said.atMs), text: wordsOf(said) };
}
