import { counted } from "../../base/text/counted.js";
import { teamName } from "../../names/gates.js";
import { confirmOrRefuse } from "../ask.js";
import type { Command } from "../command.js";
import { alsoFar } from "../far/also-far.js";
import { nameArgument, namedPane, refuseOwn, teamOption } from "../named-agent.js";
import { shown } from "../output.js";
import { refreshed } from "./spawn-options.js";

export const agentKill: Command = alsoFar({
  words: "agent kill",
  also: ["kill"],
  about: "end an agent and close its pane",
  args: [nameArgument],
  options: [teamOption, { name: "forget", about: "also forget its role, session and messages" }],
  asks: "discards queued messages (with --forget)",
  examples: ["hivemind agent kill scout", "hivemind agent kill web4team:0.3 --forget --yes"],
  notes:
    "Keeps its conversation. The agent is then away with its role and messages; `hivemind agent restart NAME` brings it\n" +
    "back. With --forget its queued messages move to the dead/ folder of the queues.",
  async run(cli, input) {
    const isForgotten = input.flag("forget");
    const { rowAddress } = await import("../../fleet/find-pane.js");
    const { roleOf } = await import("../../fleet/resolve.js");
    const { killAgent } = await import("../../teams/kill.js");
    const { hive, panes, pane } = await namedPane(cli, input);
    rowAddress(pane, hive.tmux.server);
    refuseOwn(hive, panes, pane);
    const name = roleOf(pane) ?? pane.address;
    const what = `${roleOf(pane) ?? "unnamed"} (${pane.kind === "shell" ? shown(pane.command) : pane.kind}) in ${pane.address}`;
    const count = pane.agent === null ? 0 : hive.stores.queues.read(pane.agent.id).messages.length;
    const would = isForgotten && count > 0 ? [`discard ${counted(count, "queued message")} for ${name}`] : [];
    await confirmOrRefuse(input, {
      would,
      command: `agent kill ${pane.address}${isForgotten ? " --forget" : ""}`,
    });
    const team = teamName(pane.sessionName);
    await hive.whileChanging(team, async () => {
      const world = hive.teamWorld(cli.out, cli.untilInterrupted());
      // The agent may have restarted, moved or ended during the question.
      const now = hive.paneNamed(await world.panes(), pane.id);
      const { waiting, isLast } = await killAgent(world, now, { isForgotten });
      cli.out.print(`ended ${what}`);
      if (isForgotten && waiting > 0)
        cli.out.note(`moved ${counted(waiting, "queued message")} to ${hive.paths.deadQueueFolder}`);
      if (!isForgotten && now.agent !== null) {
        const left = waiting > 0 ? ` with ${counted(waiting, "queued message")}` : "";
        cli.out.note(`${name} is away${left}; to restart it: ${cli.self} agent restart @${now.agent.id}`);
      }
      if (isLast) cli.out.note(`that was the last pane, so the tmux session ${team} has ended`);
      else await refreshed(cli, world, team);
    });
  },
});
