import { textTable } from "../base/table.js";
import type { Command } from "./command.js";

export const layoutList: Command = {
  words: "layout list",
  about: "the saved layouts, and whether the teams still stand like that",
  examples: ["hivemind layout list"],
  hasJson: true,
  async run({ out, hive }, input) {
    const { stores, panes } = await hive();
    const { layoutOf } = await import("../layout/layout-of.js");
    const { sameLayout } = await import("../layout/geometry.js");
    const { panes: live } = await panes();
    const layouts = [];
    for (const team of stores.layouts.list()) {
      const saved = stores.layouts.read(team);
      if (saved === null) continue;
      const now = layoutOf(live, team);
      const state = now === null ? "not running" : sameLayout(now, saved) ? "as saved" : "different";
      const count = saved.windows.flatMap((window) => window.panes).length;
      layouts.push({
        team,
        path: stores.layouts.fileOf(team),
        windows: saved.windows.length,
        panes: count,
        state,
      });
    }
    if (input.flag("json")) {
      out.json({ layouts });
      return undefined;
    }
    if (layouts.length === 0) {
      out.print("No layouts saved yet.");
      out.note("  hivemind layout save TEAM");
      return undefined;
    }
    const rows = layouts.map(({ team, windows, panes, state }) => [
      team,
      String(windows),
      String(panes),
      state,
    ]);
    const heading = ["TEAM", "WINDOWS", "PANES", "NOW"];
    out.table(textTable([heading, ...rows], ["left", "right", "right"]));
    return undefined;
  },
};
