import { HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";

export const teamRename: Command = {
  words: "team rename",
  about: "rename a team and its tmux session",
  args: [
    { name: "team", about: "its name now", meaning: "team" },
    { name: "new", about: "its new name", meaning: "text" },
  ],
  examples: ["hivemind team rename web4team web5team"],
  async run(cli, input) {
    const [old, renamed] = [teamName(input.need("team")), teamName(input.need("new"))];
    const { refuseHeld } = await import("../fleet/moves.js");
    const hive = await cli.hive();
    return hive.whileChanging(old, async () => {
      const seen = await hive.panes();
      refuseHeld(seen, old);
      const { panes } = seen;
      const runs = (team: string) => panes.some(({ sessionName }) => sessionName === team);
      const isRegistered = (team: string) => hive.stores.teams.read().rows.some((row) => row.team === team);
      if (!runs(old) && !isRegistered(old)) {
        throw new HiveError(`there is no team "${old}"`, { hint: "hivemind team list" });
      }
      // By its marks: it has the new name in tmux, and its rows could not follow.
      const isBegun = seen.shifts.renamedTeams.some(({ from, to }) => from === old && to === renamed);
      if (isRegistered(renamed) || (runs(renamed) && !isBegun)) {
        throw new HiveError(`there is a team "${renamed}" already`, { hint: "choose another name" });
      }
      hive.stores.rekeying.rehearse();
      if (runs(old)) await hive.renameTmuxSession(old, renamed);
      await hive.emit({ name: "team.renamed", old, new: renamed });
      cli.out.print(`renamed ${old} to ${renamed}`);
      return undefined;
    });
  },
};
