// The commands that query, swap and move panes.

import { HiveError, UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Move } from "../../events/event.js";
import type { Hive } from "../../hive/hive.js";
import { isPaneId, isTeamName, teamName } from "../../names/gates.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

export const paneGet: Command = {
  words: "pane get",
  about: "print tmux variables of a pane: title, folder, …",
  args: [
    { name: "format", about: "tmux variables, such as '#{pane_title}'" },
    {
      name: "pane",
      about: "team:window.pane, tmux %id or a role (default: your own pane)",
      meaning: "pane",
      isOptional: true,
    },
  ],
  examples: [
    "hivemind pane get '#{pane_title}' web4team:0.1",
    "hivemind pane get '#{pane_current_path}' tester",
  ],
  notes:
    "The format may contain only plain variables; for conditions and commands use tmux display-message -p.\n" +
    "The pane may also come first.",
  hasJson: true,
  async run(cli, input) {
    const typed = [input.need("format"), input.arg("pane")];
    const [format, name] = typed[1]?.includes("#") ? [typed[1], typed[0]] : typed;
    const { isPlainFormat, paneFacts } = await import("../../tmux/pane.js");
    if (!format!.includes("#") || !isPlainFormat(format!))
      throw new UsageError(`refused "${shown(format)}": a format may contain only plain variables`, {
        hint: "hivemind pane get '#{pane_title}' PANE",
      });
    const hive = await cli.hive();
    const panes = await hive.panes();
    const pane = name === undefined ? hive.ownPane(panes) : hive.paneNamed(panes, name);
    if (pane === null)
      throw new HiveError("this command does not run in a pane", {
        hint: `hivemind pane get '${format}' PANE`,
      });
    const value = await paneFacts(hive.tmux, pane.id, format!);
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, format, value });
    else cli.out.print(harmless(value));
  },
};

export const paneSwap: Command = {
  words: "pane swap",
  about: "swap two panes with their roles, sessions and queues",
  args: [
    { name: "a", about: "team:window.pane, tmux %id or a role", meaning: "pane" },
    { name: "b", about: "the other pane", meaning: "pane" },
  ],
  examples: ["hivemind pane swap web4team:0.1 web4team:0.3", "hivemind pane swap lead reviewer"],
  async run(cli, input) {
    const hive = await cli.hive();
    const { swapTwo } = await import("../../teams/swap.js");
    const seen = await hive.panes();
    const [a, b] = [hive.paneNamed(seen, input.need("a")), hive.paneNamed(seen, input.need("b"))];
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const moves = await whileChangingAll(hive, [a.sessionName, b.sessionName], () =>
      swapTwo(world, a.id, b.id),
    );
    cli.out.lines(moveLines(moves));
  },
};

export const paneMove: Command = {
  words: "pane move",
  about: "move a pane next to another, or to another team",
  args: [
    { name: "from", about: "team:window.pane, tmux %id or a role", meaning: "pane" },
    { name: "to", about: "a team, or the pane to put it next to", meaning: "pane" },
  ],
  examples: ["hivemind pane move web4team:0.1 web5team", "hivemind pane move reviewer web4team:1.0"],
  notes: "Its role, session and queue move with it.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { moveOne } = await import("../../teams/swap.js");
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
      cli.out.note(`hivemind: ${target} is not a team yet: hivemind team register ${target}`);
    if (!(await hive.panes()).panes.some(({ sessionName }) => sessionName === pane.sessionName))
      cli.out.note(`hivemind: that was the last pane of ${pane.sessionName}, so its tmux session has ended`);
  },
};

/** One line per moved pane. */
function moveLines(moves: readonly Move[]): string[] {
  return moves.length === 0 ? ["nothing moved"] : moves.map(({ from, to }) => `${from} is ${to} now`);
}

/** Takes the locks of several teams, sorted to prevent deadlocks. Invalid team names have no lock. */
export async function whileChangingAll<T>(
  hive: Hive,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const teams = [...new Set(names)].filter(isTeamName).sort();
  const held = teams.reduceRight((inner, team) => () => hive.whileChanging(team, inner), work);
  return held();
}
