import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { activityOptions } from "./show-activity.js";
import { status } from "./status.js";

export const teamStatus: Command = {
  words: "team status",
  about: "one team and its panes: role, session, activity",
  args: [
    { name: "team", about: "else the one you are in, or the active one", meaning: "team", isOptional: true },
  ],
  options: activityOptions(),
  examples: ["hivemind team status", "hivemind team status web4team --json"],
  hasJson: true,
  async run(cli, input) {
    const named = input.arg("team") ?? (await teamHere(cli));
    return status.run(cli, { ...input, arg: () => named });
  },
};

async function teamHere(cli: Cli): Promise<string> {
  const { whichTeam } = await import("../fleet/which-team.js");
  const hive = await cli.hive();
  const fleet = await hive.panes();
  return whichTeam(fleet, { own: hive.ownPane(fleet), active: hive.stores.activeTeam.read() });
}
