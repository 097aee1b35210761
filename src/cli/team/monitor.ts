import { linesWanted, screenLines, screensOf } from "../agent/monitor.js";
import type { Command } from "../command.js";
import { farRead } from "../far/also-far.js";
import { teamMeant } from "../named-agent.js";

export const teamMonitor: Command = {
  words: "team monitor",
  about: "print the last lines of every pane of a team",
  args: [
    {
      name: "team",
      about: "default: the team you are in, or the active team",
      meaning: "team",
      isOptional: true,
      host: "taken",
    },
    { name: "lines", about: "lines per pane (default: 8)", isOptional: true },
  ],
  examples: [
    "hivemind team monitor web4team",
    "hivemind team monitor web4team 20",
    "hivemind team monitor 20",
  ],
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, teamMonitor, "team");
    if (typeof input === "number") return input;
    const hive = await cli.hive();
    const fleet = await hive.panes();
    const { byPlace } = await import("../../tmux/listing.js");
    const [first, second] = [input.arg("team"), input.arg("lines")];
    const runs = (name: string) => fleet.panes.some(({ sessionName }) => sessionName === name);
    // A lone number is the line count, unless a team has that name.
    const isCount = first !== undefined && second === undefined && /^\d+$/.test(first) && !runs(first);
    const count = linesWanted(isCount ? first : second, 8);
    const team = teamMeant(hive, fleet, isCount ? undefined : first);
    const own = fleet.panes.filter(({ sessionName }) => sessionName === team).sort(byPlace);
    const screens = await screensOf(hive, own, count);
    if (input.flag("json")) cli.out.json({ team, panes: screens });
    else
      for (const [at, screen] of screens.entries()) {
        if (at > 0) cli.out.print();
        cli.out.lines(screenLines(screen, cli.out));
      }
    return undefined;
  },
};
