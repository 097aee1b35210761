import { HiveError } from "../base/errors.js";
import { textTable } from "../base/table.js";
import { type TeamName, teamName } from "../names/gates.js";
import type { Layout } from "../stores/layout-text.js";
import type { Layouts } from "../stores/layouts.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const layoutShow: Command = {
  words: "layout show",
  about: "a team's saved windows and panes",
  args: [{ name: "team", about: "a team whose layout was saved", meaning: "team" }],
  examples: ["hivemind layout show web4team"],
  hasJson: true,
  async run({ out, hive }, input) {
    const team = teamName(input.need("team"));
    const { layouts } = (await hive()).stores;
    const { windows } = savedLayout(layouts, team);
    const path = layouts.fileOf(team);
    if (input.flag("json")) {
      out.json({ team, path, windows });
      return undefined;
    }
    const { geometryOf } = await import("../layout/geometry.js");
    out.print(shown(path));
    const rows = windows.flatMap(({ window, name, layout, panes }) => {
      const cells = geometryOf(layout)?.cells ?? [];
      return panes.map(({ pane, title, cwd, command }, at) => {
        const cell = cells.length === panes.length ? cells[at] : undefined;
        return [
          ...[`${team}:${window}.${pane}`, shown(name), cell ? `${cell.width}×${cell.height}` : "–"],
          ...[shown(command), shown(cwd), shown(title)],
        ];
      });
    });
    const heading = ["PANE", "WINDOW", "SIZE", "COMMAND", "FOLDER", "TITLE"];
    out.table(textTable([heading, ...rows], ["left", "left", "right"]));
    return undefined;
  },
};

export function savedLayout(layouts: Layouts, team: TeamName): Layout {
  const found = layouts.read(team);
  if (found !== null) return found;
  const saved = layouts.list().filter((each) => layouts.read(each) !== null);
  throw new HiveError(`there is no saved layout of "${team}"`, {
    hint: saved.length > 0 ? `saved are: ${saved.join(", ")}` : `hivemind layout save ${team}`,
  });
}
