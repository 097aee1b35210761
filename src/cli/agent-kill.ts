import { counted } from "../base/counted.js";
import { teamName } from "../names/gates.js";
import { agreedTo } from "./agreement.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, refuseOwn, teamOption } from "./named-agent.js";
import { shown } from "./output.js";
import { refreshed } from "./spawning.js";

export const agentKill: Command = {
  words: "agent kill",
  about: "end an agent and take its pane away",
  args: [nameArgument],
  options: [teamOption],
  asks: "puts away messages that wait for the agent",
  examples: ["hivemind agent kill scout", "hivemind agent kill web4team:0.3 --yes"],
  notes: "Its conversation stays on disk. Messages that waited for it are kept in the queues' dead/ folder.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { rowAddress } = await import("../fleet/find-pane.js");
    const { rolesIn } = await import("../fleet/resolve.js");
    const { waitingHere } = await import("../messages/waiting-here.js");
    const { killAgent } = await import("../teams/kill.js");
    const panes = await hive.panes();
    const pane = agentNamed(hive, panes, input);
    const address = rowAddress(pane, hive.tmux.server);
    refuseOwn(hive, panes, pane);
    const role = rolesIn(panes, hive.stores)(pane);
    const what = `${role ?? "unnamed"} (${pane.kind === "shell" ? shown(pane.command) : pane.kind}) in ${pane.address}`;
    const waiting = waitingHere(hive.stores, panes, address).forPane.length;
    const would =
      waiting > 0 ? [`put away ${counted(waiting, "waiting message")} for ${role ?? address}`] : [];
    await agreedTo(input, { would, command: `agent kill ${pane.address}` });
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
