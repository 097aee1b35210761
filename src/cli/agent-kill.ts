import { exitCodes, HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { refreshed } from "./spawning.js";

export const agentKill: Command = {
  words: "agent kill",
  about: "end an agent and take its pane away",
  args: [{ name: "name", about: "a role, team:window.pane or tmux's %id", meaning: "role" }],
  options: [
    { name: "team", about: "where NAME is looked for", value: "team", meaning: "team" },
    { name: "yes", short: "y", about: "do not ask" },
  ],
  examples: ["hivemind agent kill scout", "hivemind agent kill web4team:0.3 --yes"],
  notes: "Its conversation stays on disk. Messages that waited for it are kept in the queues' dead/ folder.",
  async run(cli, input) {
    const typed = input.option("team");
    const within = typed === undefined ? undefined : teamName(typed);
    const hive = await cli.hive();
    const { rowAddress } = await import("../fleet/find-pane.js");
    const { shownRoles } = await import("../fleet/resolve.js");
    const { killAgent } = await import("../teams/kill.js");
    const panes = await hive.panes();
    const pane = hive.paneNamed(panes, input.need("name"), within);
    rowAddress(pane);
    if (hive.ownPane(panes)?.id === pane.id)
      throw new HiveError(`${pane.address} is the pane this runs in`, { hint: "do it from another pane" });
    const role = shownRoles(panes, hive.stores.roles.read().rows)(pane);
    const what = `${role ?? "unnamed"} (${pane.kind === "shell" ? shown(pane.command) : pane.kind}) in ${pane.address}`;
    if (!input.flag("yes")) {
      const { confirmed } = await import("./ask.js");
      const answer = await confirmed(`End ${what}?`);
      if (answer === null)
        throw new HiveError(`this would end ${what}`, { hint: `hivemind agent kill ${pane.address} --yes` });
      if (!answer) return exitCodes.refused;
    }
    const team = teamName(pane.sessionName);
    await hive.whileChanging(team, async () => {
      const world = hive.teamWorld(cli.out, cli.untilInterrupted());
      // It may have been renewed, moved or ended while a person thought about it.
      const now = hive.paneNamed(await world.panes(), pane.id);
      const { buried, isLast } = await killAgent(world, now);
      cli.out.print(`ended ${what}`);
      if (buried > 0)
        cli.out.note(`messages that waited for it: ${buried}, kept in ${hive.paths.deadQueueFolder}`);
      if (isLast) cli.out.note(`it was the last pane: the tmux session ${team} is gone with it`);
      else await refreshed(cli, world, team);
    });
    return undefined;
  },
};
