import { counted } from "../base/counted.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const layoutSave: Command = {
  words: "layout save",
  about: "write down a team's windows and panes",
  args: [{ name: "team", about: "else the one you are in", meaning: "team", isOptional: true }],
  examples: ["hivemind layout save", "hivemind layout save web4team"],
  async run({ out, hive }, input) {
    const { panes, ownPane, stores } = await hive();
    const typed = input.arg("team");
    const fleet = await panes();
    const { runningTeam, whichTeam } = await import("../fleet/which-team.js");
    const { layoutOf } = await import("../layout/layout-of.js");
    const named =
      typed === undefined
        ? whichTeam(fleet, { own: ownPane(fleet), active: stores.activeTeam.read() })
        : runningTeam(fleet, teamName(typed));
    const team = teamName(named);
    const layout = layoutOf(fleet.panes, team)!;
    const path = await stores.layouts.write(layout);
    const count = layout.windows.flatMap((window) => window.panes).length;
    out.print(
      `saved the layout of ${team}: ${counted(layout.windows.length, "window")}, ${counted(count, "pane")}`,
    );
    out.print(`  ${shown(path)}`);
    return undefined;
  },
};
