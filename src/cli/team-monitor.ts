import type { Command } from "./command.js";
import { linesWanted, screenLines, screensOf } from "./show-screens.js";

export const teamMonitor: Command = {
  words: "team monitor",
  about: "the last lines of each pane of a team",
  args: [
    { name: "team", about: "else the one you are in, or the active one", meaning: "team", isOptional: true },
    { name: "lines", about: "how many of each; 8 without it", meaning: "text", isOptional: true },
  ],
  examples: [
    "hivemind team monitor web4team",
    "hivemind team monitor web4team 20",
    "hivemind team monitor 20",
  ],
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const fleet = await hive.panes();
    const { byPlace } = await import("../tmux/listing.js");
    const { runningTeam, whichTeam } = await import("../fleet/which-team.js");
    const [first, second] = [input.arg("team"), input.arg("lines")];
    const runs = (name: string) => fleet.panes.some(({ sessionName }) => sessionName === name);
    // A number alone is how many lines, unless a team is called so.
    const isCount = first !== undefined && second === undefined && /^\d+$/.test(first) && !runs(first);
    const count = linesWanted(isCount ? first : second, 8);
    const whereabouts = { own: hive.ownPane(fleet), active: hive.stores.activeTeam.read() };
    const team = first === undefined || isCount ? whichTeam(fleet, whereabouts) : runningTeam(fleet, first);
    const own = fleet.panes.filter(({ sessionName }) => sessionName === team).sort(byPlace);
    const screens = await screensOf(hive, fleet, own, count);
    if (input.flag("json")) cli.out.json({ team, panes: screens });
    else
      for (const [at, screen] of screens.entries()) {
        if (at > 0) cli.out.print();
        cli.out.lines(screenLines(screen, cli.out));
      }
    return undefined;
  },
};
