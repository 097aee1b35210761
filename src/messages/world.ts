// What sending needs: a part of the hive.

import type { Panes } from "../fleet/panes.js";
import type { Work } from "../fleet/roster/change-roster.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

/** What it takes to look at panes and type into them. */
export interface PaneReader {
  tmux: Tmux;
  /** Takes a new listing on each call. */
  panes(): Promise<Panes>;
}

export interface MessageWorld extends PaneReader {
  env: NodeJS.ProcessEnv;
  stores: Stores;
  /** Makes one change to the roster. */
  change(work?: Work): Promise<Panes>;
  /** Writes down sessions that so far only the clients have reported. */
  writeNews(seen: Panes, team: string): Promise<boolean>;
}
