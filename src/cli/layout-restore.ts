import { counted } from "../base/counted.js";
import { HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { savedLayout } from "./layout-show.js";
import { shown } from "./output.js";

export const layoutRestore: Command = {
  words: "layout restore",
  about: "make a team's windows and panes again, with shells in them",
  args: [{ name: "team", about: "a team whose layout was saved", meaning: "team" }],
  options: [{ name: "force", about: "also where the tmux session exists: what is missing is added" }],
  examples: ["hivemind layout restore web4team", "hivemind layout restore web4team --force"],
  notes:
    "Nothing is ever closed, and no saved command is run. `teams restore --team TEAM` afterwards starts the agents in\n" +
    "these panes, as long as nothing but the shell runs in them; by itself it makes panes too.",
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const { tmux, panes, stores, whileChanging } = await cli.hive();
    const { buildLayout } = await import("../layout/build.js");
    const layout = savedLayout(stores.layouts, team);
    const built = await whileChanging(team, async () => {
      const isRunning = (await panes()).panes.some(({ sessionName }) => sessionName === team);
      if (isRunning && !input.flag("force")) {
        throw new HiveError(`${team} is running`, {
          hint: `to add what is missing: hivemind layout restore ${team} --force`,
        });
      }
      const lock = stores.sizeLocks.read().rows.find((row) => row.team === team);
      const home = cli.env.HOME;
      return buildLayout(tmux, layout, {
        notesPlaces: true,
        ...(lock === undefined ? {} : { atLeast: lock }),
        ...(home === undefined ? {} : { home }),
      });
    });
    for (const remark of built.remarks) cli.out.note(`warning: ${shown(remark)}`);
    const made = built.panes.filter(({ isNew }) => isNew).length;
    if (made + built.reshaped === 0) {
      cli.out.print(`nothing to do: ${team} is as it was saved`);
      return undefined;
    }
    const all = counted(built.panes.length, "pane");
    cli.out.print(`restored the layout of ${team}: ${made} new of ${all}`);
    return undefined;
  },
};
