import { textTable } from "../base/table.js";
import type { Layout } from "../stores/layout-text.js";
import type { Command } from "./command.js";

export const layoutList: Command = {
  words: "layout list",
  about: "the saved layouts, and whether the teams still stand like that",
  examples: ["hivemind layout list"],
  hasJson: true,
  async run({ out, hive }, input) {
    const { stores, panes } = await hive();
    const { layoutOf } = await import("../layout/layout-of.js");
    const { panes: live } = await panes();
    const layouts = [];
    for (const team of stores.layouts.list()) {
      const saved = stores.layouts.read(team);
      if (saved === null) continue;
      const state = await compare(saved, layoutOf(live, team));
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
    for (const line of textTable([heading, ...rows], ["left", "right", "right"])) out.print(line);
    return undefined;
  },
};

async function compare(
  saved: Layout,
  live: Layout | null,
): Promise<"as saved" | "different" | "not running"> {
  if (live === null) return "not running";
  const { sameGeometry } = await import("../layout/geometry.js");
  const isSame =
    live.windows.length === saved.windows.length &&
    live.windows.every(({ window, layout }, at) => {
      const other = saved.windows[at]!;
      return window === other.window && sameGeometry(layout, other.layout);
    });
  return isSame ? "as saved" : "different";
}
