// Teams for a viewer to show, and their state.

import { type Hive, openHive } from "../../src/hive/hive.js";
import type { TeamName } from "../../src/names/gates.js";
import { hivemind, tmuxTeam } from "../command.js";
import type { TestHome } from "../home.js";

export const [web, ops] = ["web" as TeamName, "ops" as TeamName];

/** Running, registered teams. */
export function withTeams(home: TestHome, ...teams: string[]): Hive {
  for (const team of teams) {
    tmuxTeam(home, team);
    hivemind(home, ["team", "register", team]);
  }
  return openHive({ env: home.env });
}

/** S8, in order. */
export const noted = ({ stores }: Hive) =>
  stores.viewerWindows
    .read()
    .rows.map(({ window, team }) => `${window} ${team}`)
    .sort();

export const sizesOf = (home: TestHome) =>
  home
    .tmux("list-windows", "-a", "-F", "#{session_name} #{window_width}x#{window_height}")
    .trim()
    .split("\n");
