import { role, teamName } from "../names/gates.js";
import type { Command } from "./command.js";

export const resolve: Command = {
  words: "resolve",
  about: "the pane of a role",
  args: [
    { name: "name", about: "the role, exactly", meaning: "role" },
    { name: "team", about: "only in this team", meaning: "team", isOptional: true },
  ],
  examples: ["hivemind resolve web4-po", "hivemind resolve tester web4team"],
  notes: "Where several teams have the role, the tmux session you are in decides; outside, name the team.",
  hasJson: true,
  async run(cli, input) {
    const name = role(input.need("name"));
    const typed = input.arg("team");
    const hive = await cli.hive();
    const pane = hive.paneNamed(await hive.panes(), name, typed === undefined ? undefined : teamName(typed));
    if (input.flag("json"))
      cli.out.json({ role: name, pane: pane.address, paneId: pane.id, team: pane.sessionName });
    else cli.out.print(pane.address);
    return undefined;
  },
};
