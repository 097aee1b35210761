import { textTable } from "../base/table.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { isAgent } from "./show-teams.js";

export const teamList: Command = {
  words: "team list",
  about: "the teams, and the tmux sessions that could be one",
  examples: ["hivemind team list"],
  hasJson: true,
  async run({ out, hive }, input) {
    const views = await (await hive()).viewTeams();
    const teams = views.map(({ agents, ...team }) => ({ ...team, agents: agents.filter(isAgent).length }));
    if (input.flag("json")) {
      out.json({ teams });
      return undefined;
    }
    if (teams.length === 0) {
      out.print("No teams, and no tmux sessions to make one of.");
      return undefined;
    }
    const rows = teams.map(({ team, running, registered, active, description, agents }) => [
      shown(team) + (active ? " *" : ""),
      running ? "running" : "not running",
      String(agents),
      registered ? shown(description) : "not registered",
    ]);
    const heading = ["TEAM", "STATE", "AGENTS", "DESCRIPTION"];
    out.table(textTable([heading, ...rows], ["left", "left", "right"]));
    return undefined;
  },
};
