import { HiveError } from "../base/errors.js";
import type { Command } from "./command.js";

export const teamActive: Command = {
  words: "team active",
  about: "the team that commands mean when none is named",
  examples: ["hivemind team active"],
  hasJson: true,
  async run({ out, hive }, input) {
    const views = await (await hive()).viewTeams();
    const stored = (await hive()).stores.activeTeam.read();
    const view = views.find(({ active }) => active);
    const running = view?.running ?? false;
    if (input.flag("json")) out.json({ team: view?.team ?? stored, running });
    if (stored === null) throw new HiveError("no team is active", { hint: "hivemind team switch TEAM" });
    if (input.flag("json")) return undefined;
    out.print(view?.team ?? stored);
    if (!running) out.note(`hivemind: ${stored} is not running, so it is ignored where a team is needed`);
    return undefined;
  },
};
