import { HiveError, UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const paneGet: Command = {
  words: "pane get",
  about: "what tmux says of a pane: its title, its folder, …",
  args: [
    { name: "format", about: "tmux's variables, '#{pane_title}'", meaning: "text" },
    {
      name: "pane",
      about: "team:window.pane, tmux's %id, or a role; your own without it",
      meaning: "pane",
      isOptional: true,
    },
  ],
  examples: [
    "hivemind pane get '#{pane_title}' web4team:0.1",
    "hivemind pane get '#{pane_current_path}' tester",
  ],
  notes:
    "The format has variables by their names alone; for conditions and commands ask tmux: tmux display-message -p.\n" +
    "The pane may also stand first.",
  hasJson: true,
  async run(cli, input) {
    const typed = [input.need("format"), input.arg("pane")];
    const [format, name] = typed[1]?.includes("#") ? [typed[1], typed[0]] : typed;
    const { isPlainFormat, paneFacts } = await import("../tmux/pane.js");
    if (!format!.includes("#") || !isPlainFormat(format!))
      throw new UsageError(`refused "${shown(format)}": a format has variables by their names alone`, {
        hint: "hivemind pane get '#{pane_title}' PANE",
      });
    const hive = await cli.hive();
    const panes = await hive.panes();
    const pane = name === undefined ? hive.ownPane(panes) : hive.paneNamed(panes, name);
    if (pane === null)
      throw new HiveError("this does not run in a pane", { hint: `hivemind pane get '${format}' PANE` });
    const value = await paneFacts(hive.tmux, pane.id, format!);
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, format, value });
    else cli.out.print(harmless(value));
    return undefined;
  },
};
