import { role, teamName } from "../../names/gates.js";
import { type Command, ifGiven } from "../command.js";
import { farRead } from "../far/also-far.js";

export const resolve: Command = {
  words: "resolve",
  about: "print the pane of a role",
  args: [
    { name: "name", about: "the exact role", meaning: "role", host: "taken" },
    { name: "team", about: "only in this team", meaning: "team", isOptional: true },
  ],
  examples: [
    "hivemind resolve web4-po",
    "hivemind resolve tester web4team",
    "hivemind resolve tester@server",
  ],
  notes: "If several teams have the role, the team you are in wins; outside tmux, name the team.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, resolve, "name", "alone");
    if (typeof input === "number") return input;
    const name = role(input.need("name"));
    const hive = await cli.hive();
    const pane = hive.paneNamed(await hive.panes(), name, ifGiven(input.arg("team"), teamName));
    if (input.flag("json"))
      cli.out.json({ role: name, pane: pane.address, paneId: pane.id, team: pane.sessionName });
    else cli.out.print(pane.address);
    return undefined;
  },
};
