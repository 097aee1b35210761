// The commands for saved layouts.

import { HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { textTable } from "../../base/text/table.js";
import { type TeamName, teamName } from "../../names/gates.js";
import type { Layouts } from "../../stores/layouts.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

export const layoutCommands: readonly Command[] = [
  {
    words: "layout save",
    about: "save a team's windows and panes",
    args: [{ name: "team", about: "default: the team you are in", meaning: "team", isOptional: true }],
    examples: ["hivemind layout save", "hivemind layout save web4team"],
    async run({ out, hive }, input) {
      const { panes, ownPane, stores } = await hive();
      const typed = input.arg("team");
      const fleet = await panes();
      const { runningTeam, whichTeam } = await import("../../fleet/which-team.js");
      const { layoutOf } = await import("../../layout/layout-of.js");
      const named =
        typed === undefined
          ? whichTeam(fleet, { own: ownPane(fleet), active: stores.activeTeam.read() })
          : runningTeam(fleet, teamName(typed));
      const team = teamName(named);
      const layout = layoutOf(fleet.panes, team)!;
      const path = await stores.layouts.write(layout);
      const windows = counted(layout.windows.length, "window");
      out.print(`saved the layout of ${team}: ${windows}, ${counted(panesIn(layout), "pane")}`);
      out.print(`  ${shown(path)}`);
      return undefined;
    },
  },
  {
    words: "layout restore",
    about: "rebuild a team's windows and panes, with shells",
    args: [{ name: "team", about: "a team with a saved layout", meaning: "team" }],
    options: [{ name: "force", about: "add missing panes to a tmux session that is running" }],
    examples: ["hivemind layout restore web4team", "hivemind layout restore web4team --force"],
    notes:
      "Closes nothing and runs no saved command. To start the agents in these panes (only where just a shell runs):\n" +
      "hivemind restore --team TEAM. It also creates panes by itself.",
    async run(cli, input) {
      const team = teamName(input.need("team"));
      const { tmux, panes, stores, whileChanging } = await cli.hive();
      const { buildLayout } = await import("../../layout/build.js");
      const layout = savedLayout(stores.layouts, team);
      const built = await whileChanging(team, async () => {
        const isRunning = (await panes()).panes.some(({ sessionName }) => sessionName === team);
        if (isRunning && !input.flag("force")) {
          throw new HiveError(`${team} is running`, {
            hint: `to add what is missing: hivemind layout restore ${team} --force`,
          });
        }
        const atLeast = stores.sizeLocks.read().rows.find((row) => row.team === team);
        return buildLayout(tmux, layout, { notesPlaces: true, atLeast, home: cli.env.HOME });
      });
      for (const remark of built.remarks) cli.out.note(`warning: ${shown(remark)}`);
      const made = built.panes.filter(({ isNew }) => isNew).length;
      const all = counted(built.panes.length, "pane");
      if (made + built.reshaped === 0) cli.out.print(`nothing to do: ${team} matches the saved layout`);
      else cli.out.print(`restored the layout of ${team}: ${made} new of ${all}`);
      return undefined;
    },
  },
  {
    words: "layout list",
    about: "list saved layouts, and whether the teams still match",
    examples: ["hivemind layout list"],
    hasJson: true,
    async run({ out, hive }, input) {
      const { stores, panes } = await hive();
      const { layoutOf } = await import("../../layout/layout-of.js");
      const { sameLayout } = await import("../../layout/geometry.js");
      const { panes: live } = await panes();
      const layouts = [];
      for (const team of stores.layouts.list()) {
        const saved = stores.layouts.read(team);
        if (saved === null) continue;
        const now = layoutOf(live, team);
        const state = now === null ? "not running" : sameLayout(now, saved) ? "as saved" : "different";
        const path = stores.layouts.fileOf(team);
        layouts.push({ team, path, windows: saved.windows.length, panes: panesIn(saved), state });
      }
      if (input.flag("json")) out.json({ layouts });
      else if (layouts.length === 0) {
        out.print("No layouts saved yet.");
        out.note("  hivemind layout save TEAM");
      } else {
        const rows = layouts.map(({ team, windows, panes, state }) => [
          team,
          `${windows}`,
          `${panes}`,
          state,
        ]);
        const heading = ["TEAM", "WINDOWS", "PANES", "NOW"];
        out.table(textTable([heading, ...rows], ["left", "right", "right"]));
      }
      return undefined;
    },
  },
  {
    words: "layout show",
    about: "print a team's saved windows and panes",
    args: [{ name: "team", about: "a team with a saved layout", meaning: "team" }],
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
      const { geometryOf } = await import("../../layout/geometry.js");
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
  },
];

function panesIn({ windows }: Layout): number {
  return windows.flatMap(({ panes }) => panes).length;
}

function savedLayout(layouts: Layouts, team: TeamName): Layout {
  const found = layouts.read(team);
  if (found !== null) return found;
  const saved = layouts.list().filter((each) => layouts.read(each) !== null);
  throw new HiveError(`"${team}" has no saved layout`, {
    hint: saved.length > 0 ? `saved layouts: ${saved.join(", ")}` : `hivemind layout save ${team}`,
  });
}
