import type { RefreshPlan } from "../fleet/refresh.js";
import type { Hive } from "../hive.js";
import { teamName } from "../names/gates.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const registryRefresh: Command = {
  words: "registry refresh",
  about: "bring roles, sessions and queues up to date with what runs",
  args: [
    { name: "team", about: "only this team; else all registered ones", meaning: "team", isOptional: true },
  ],
  examples: ["hivemind registry refresh", "hivemind registry refresh web4team"],
  notes:
    "updated: agents with a role, whose rows are right now. broken: sessions whose transcript is nowhere.\n" +
    "A team that is not running keeps its rows. Nothing is typed into any pane.",
  hasJson: true,
  async run(cli, input) {
    const typed = input.arg("team");
    const team = typed === undefined ? undefined : teamName(typed);
    const hive = await cli.hive();
    const plan =
      team === undefined ? await hive.refreshAll() : await hive.whileChanging(team, () => hive.refresh(team));
    if (input.flag("json")) cli.out.json(asJson(plan));
    else {
      cli.out.print(`updated=${plan.updated} broken=${plan.broken}`);
      for (const line of await remarks(cli, hive, plan)) cli.out.note(line);
    }
    return undefined;
  },
};

function asJson({ updated, broken, forkRows, unnamed, warnings, events, elsewhere }: RefreshPlan) {
  return {
    updated,
    broken,
    agents: forkRows.map(({ pane, role, uuid, state, parent }) => ({ pane, role, uuid, state, parent })),
    unnamed,
    warnings,
    events,
    elsewhere,
  };
}

async function remarks(
  { self }: Cli,
  hive: Hive,
  { unnamed, warnings, elsewhere }: RefreshPlan,
): Promise<string[]> {
  const lines = warnings.map((warning) => `warning: ${shown(warning)}`);
  if (unnamed.length > 0) {
    const { storedRows } = await import("../fleet/moves.js");
    const { unnamedLines } = await import("./naming.js");
    lines.push(...unnamedLines(self, await hive.panes(), storedRows(hive.stores), unnamed));
  }
  for (const name of elsewhere) {
    lines.push(`agents run in ${shown(name)}, which is no team`, `  hivemind team register ${name}`);
  }
  return lines;
}
