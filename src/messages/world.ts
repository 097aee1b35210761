// What sending works with: a part of the hive.

import type { Panes } from "../fleet/panes.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

export interface MessageWorld {
  tmux: Tmux;
  stores: Stores;
  /** Listed afresh, each time it is called. */
  panes(): Promise<Panes>;
}
