// `hivemind` alone: the fleet at a glance, or what there is to bring back.

import { textTable } from "../base/table.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { glanceLines } from "./show-teams.js";

export const glance: Command = {
  words: "",
  about: "the fleet at a glance",
  examples: ["hivemind"],
  hasJson: true,
  async run({ out, hive }, input) {
    const opened = await hive();
    const teams = await opened.viewTeams();
    if (input.flag("json")) {
      out.json({ teams });
      return undefined;
    }
    if (teams.some(({ running }) => running)) {
      for (const line of glanceLines(teams, out.colours)) out.print(line);
      return undefined;
    }
    out.print("No tmux sessions running.");
    if (teams.length === 0) {
      out.print("No teams registered yet.");
      out.print();
      out.print("See it work:  hivemind demo");
      out.print("Register one: tmux new-session -d -s myteam && hivemind team register myteam");
      return undefined;
    }
    out.print(`Persisted teams from ${shown(opened.paths.teams)}:`);
    out.print();
    const rows = teams.map(({ team, description }) => [shown(team), shown(description)]);
    for (const line of textTable([["TEAM", "DESCRIPTION"], ["----", "-----------"], ...rows]))
      out.print(`  ${line}`);
    return undefined;
  },
};
