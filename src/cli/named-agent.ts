// What the commands that do something with one agent have in common: how it is named.

import { HiveError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import { teamName } from "../names/gates.js";
import type { Argument, Input, Option } from "./command.js";

export const nameArgument: Argument = {
  name: "name",
  about: "a role, team:window.pane or tmux's %id",
  meaning: "role",
};

export const teamOption: Option = {
  name: "team",
  about: "where NAME is looked for",
  value: "team",
  meaning: "team",
};

export function agentNamed(hive: Hive, panes: Panes, input: Input): FleetPane {
  const typed = input.option("team");
  return hive.paneNamed(panes, input.need("name"), typed === undefined ? undefined : teamName(typed));
}

/** Whoever runs this would end with it. */
export function refuseOwn(hive: Hive, panes: Panes, { id, address }: FleetPane): void {
  if (hive.ownPane(panes)?.id !== id) return;
  throw new HiveError(`${address} is the pane this runs in`, { hint: "do it from another pane" });
}
