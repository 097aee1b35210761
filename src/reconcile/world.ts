// What reconciling needs from outside, handed in by the façade.

import type { HiveEvent } from "../events/event.js";
import type { Fleet } from "../fleet/observe.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import type { ViewerDifference } from "./facts.js";

export interface ReconcileWorld {
  stores: Stores;
  /** What this machine is called: the title of every pane that has none. */
  hostName: string;
  /** The fleet as it is now; throws where it could not be looked at. */
  observe(): Promise<Fleet>;
  /** The clients' config folders that are searched for transcripts. */
  folders(fleet: Fleet): readonly string[];
  /** Those of running agents are searched from then on, by whoever looks. */
  rememberFolders(fleet: Fleet): Promise<void>;
  /** What S5 says of a session's parent. */
  recordedParent(session: SessionId): SessionId | null;
  /** Logs what happened and brings the stores up to date. */
  emit(event: HiveEvent): Promise<void>;
  /** The same of several, but for S5: who follows what is live writes its rows itself. */
  follow(events: readonly HiveEvent[]): Promise<void>;
  /** Messages that wait elsewhere than their panes stand go there. */
  bringHome(fleet: Fleet): Promise<void>;
  /** Where the viewer is not what it is named; none without a viewer. */
  viewerDifferences(): Promise<readonly ViewerDifference[]>;
  /** The team's row in S8, and its window where a viewer runs. */
  removeWindow(team: TeamName): Promise<void>;
  /** Keeps other commands from changing this team meanwhile; one that does is waited for shortly, then named. */
  whileChanging<T>(team: TeamName, work: () => Promise<T>): Promise<T>;
  /** Bad rows and what could not be read, in words for a person. */
  say(line: string): void;
  /** One line that is drawn over itself; null takes it away. */
  progress(line: string | null): void;
  /** Ctrl-C: repairing stops at a whole step. */
  interrupted: AbortSignal;
}
