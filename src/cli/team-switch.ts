import { HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";

export const teamSwitch: Command = {
  words: "team switch",
  about: "choose the team that commands mean when none is named",
  args: [{ name: "team", about: "a running or registered team", meaning: "team" }],
  examples: ["hivemind team switch web4team"],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const hive = await cli.hive();
    const known = await hive.viewTeams();
    if (!known.some((each) => each.team === team)) {
      throw new HiveError(`there is no team "${team}"`, { hint: "hivemind team list" });
    }
    await hive.stores.activeTeam.write(team);
    cli.out.print(`active team: ${team}`);
    return undefined;
  },
};
