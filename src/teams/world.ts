// What the lifecycle of teams needs from outside, handed in by the façade: nothing here opens stores or talks to a person.

import type { HiveEvent } from "../events/event.js";
import type { Fleet } from "../fleet/observe.js";
import type { Panes } from "../fleet/panes.js";
import type { RefreshPlan } from "../fleet/refresh.js";
import type { TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

export interface TeamWorld {
  env: NodeJS.ProcessEnv;
  tmux: Tmux;
  stores: Stores;
  /** The fleet as it is now: panes, transcripts, and which session is where. */
  observe(): Promise<Fleet>;
  /** The panes and what runs in them, without a look at the transcripts. */
  panes(): Promise<Panes>;
  /** The panes as they are now, once the rows stand where they are: before anything is written by address. */
  followMoves(team: TeamName): Promise<Panes>;
  /** Logs what happened and brings the stores up to date. */
  emit(event: HiveEvent): Promise<void>;
  /** The stores follow what is live. Once, at the end of a command. */
  refresh(team: TeamName): Promise<RefreshPlan>;
  /** One line that is drawn over itself; null takes it away. */
  progress(line: string | null): void;
  /** One line that stays. */
  say(line: string): void;
  /** Ctrl-C: long work stops at a whole step. */
  interrupted: AbortSignal;
}
