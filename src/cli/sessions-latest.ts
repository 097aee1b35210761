import type { Command } from "./command.js";
import { boundaryNote } from "./here.js";
import { sessionJson } from "./sessions-json.js";
import { allOption, knownSessions, rowOf } from "./sessions-known.js";

export const sessionsLatest: Command = {
  words: "sessions latest",
  about: "the id of the session of this folder that was last written to",
  options: [allOption],
  examples: ["hivemind sessions latest", "claude --resume $(hivemind sessions latest)"],
  get notes() {
    return `Sessions in which nothing was said are passed over.\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, input) {
    const { hive, fleet, here, every, problems } = await knownSessions(cli, input);
    const { latestSession } = await import("../fleet/session-find.js");
    const entry = latestSession(every, { here, problems });
    if (!input.flag("json")) cli.out.print(entry.id);
    else cli.out.json({ session: sessionJson((await rowOf(entry, every, hive, fleet, cli.env)).row) });
    return undefined;
  },
};
