// What reconciling needs from outside. The façade provides it.

import type { HiveEvent } from "../events/event.js";
import type { ClientFolder } from "../fleet/folders.js";
import type { Fleet } from "../fleet/observe.js";
import type { Panes } from "../fleet/panes.js";
import type { Work } from "../fleet/roster/change-roster.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import type { ViewerDifference } from "./facts.js";

export interface ReconcileWorld {
  stores: Stores;
  /** The name of this machine, which is the title of every pane without one. */
  hostName: string;
  /** The fleet as it is now; throws if it is unreadable. */
  observe(): Promise<Fleet>;
  /** The clients' config folders that are searched for transcripts. */
  folders(fleet: Fleet): readonly ClientFolder[];
  /** Remembers those of running agents, so that every later look searches them. */
  rememberFolders(fleet: Fleet): Promise<void>;
  /** The parent of a session in S5. */
  recordedParent(session: SessionId): SessionId | null;
  /** Logs what happened and brings the stores up to date. */
  emit(event: HiveEvent): Promise<void>;
  /** Settles the roster and makes one change. Returns the look it took. */
  change(work?: Work): Promise<Panes>;
  /** Differences between the viewer and its window names; none without a viewer. */
  viewerDifferences(): Promise<readonly ViewerDifference[]>;
  /** Removes the team's row in S8, and its window if a viewer runs. */
  removeWindow(team: TeamName): Promise<void>;
  /**
   * Keeps other commands from changing this team. Waits shortly for one that does, then throws an error that names
   * it.
   */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
  /** Prints a line about bad rows and unreadable files. */
  say(line: string): void;
  /** Draws one line over itself; null removes it. */
  progress(line: string | null): void;
  /** Ctrl-C: repairing stops after a whole step. */
  interrupted: AbortSignal;
}
