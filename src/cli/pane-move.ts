import { isPaneId, teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { moveLines } from "./show-moves.js";

export const paneMove: Command = {
  words: "pane move",
  about: "put a pane beside another, or into another team; its role, session and queue go with it",
  args: [
    { name: "from", about: "team:window.pane, tmux's %id, or a role", meaning: "pane" },
    { name: "to", about: "a team, or the pane it shall stand beside", meaning: "pane" },
  ],
  examples: ["hivemind pane move web4team:0.1 web5team", "hivemind pane move reviewer web4team:1.0"],
  async run(cli, input) {
    const hive = await cli.hive();
    const { whileChangingAll } = await import("./while-changing.js");
    const { moveOne } = await import("../teams/swap.js");
    const seen = await hive.panes();
    const typed = input.need("to");
    const runs = (name: string) => seen.panes.some(({ sessionName }) => sessionName === name);
    const isTeam = !isPaneId(typed) && !typed.includes(":") && runs(typed);
    const pane = hive.paneNamed(seen, input.need("from"));
    const beside = isTeam ? null : hive.paneNamed(seen, typed);
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const target = beside?.sessionName ?? typed;
    const moves = await whileChangingAll(hive, [pane.sessionName, target], () =>
      moveOne(world, pane.id, beside === null ? { team: teamName(typed) } : { beside: beside.id }),
    );
    cli.out.lines(moveLines(moves));
    if (!hive.stores.teams.read().rows.some(({ team }) => team === target))
      cli.out.note(`hivemind: ${target} is no team yet: hivemind team register ${target}`);
    if (!(await hive.panes()).panes.some(({ sessionName }) => sessionName === pane.sessionName))
      cli.out.note(`hivemind: that was the last pane of ${pane.sessionName}: its tmux session has ended`);
    return undefined;
  },
};
