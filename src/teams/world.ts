// What the lifecycle of teams needs from outside. The façade provides it: nothing here opens stores or talks to a
// person.

import type { HiveEvent } from "../events/event.js";
import type { Fleet } from "../fleet/observe.js";
import type { Panes } from "../fleet/panes.js";
import type { Work } from "../fleet/roster/change-roster.js";
import type { RefreshPlan } from "../fleet/roster/refresh.js";
import type { SessionId, TeamName } from "../names/gates.js";
import type { Stores } from "../stores/stores.js";
import type { Tmux } from "../tmux/tmux.js";

/** Which host of a fleet has a conversation open. */
export interface ClaimGate {
  /** Throws unless this host may start something now. With a session: just before its program runs. */
  check(session?: SessionId): Promise<void>;
  /** Throws a `HiveError` that names the host which has it open. */
  take(session: SessionId, who: { role: string | null; team: string | null }): Promise<void>;
  /** The start failed: takes back what `take` wrote, if nobody had it before. */
  release(session: SessionId): Promise<void>;
  /** Its program has ended here, whoever started it: another host may open it now. */
  giveBack(session: SessionId): Promise<void>;
}

export interface TeamWorld {
  env: NodeJS.ProcessEnv;
  /** Node and the script of this command, for what agents run; absent if another program uses hivemind as a library. */
  program?: readonly [string, string];
  tmux: Tmux;
  /** Absent if nothing here knows of fleets. */
  claims?: ClaimGate;
  stores: Stores;
  /** The fleet now: panes, transcripts, and which session is where. */
  observe(): Promise<Fleet>;
  /** The panes and their programs, without a look at the transcripts. */
  panes(): Promise<Panes>;
  /** Settles the roster and makes one change, from the given look or a new one. Returns that look. */
  change(work?: Work, seen?: Panes): Promise<Panes>;
  /** Logs what happened and brings the stores up to date. */
  emit(event: HiveEvent): Promise<void>;
  /** Updates the stores from the live state, from the given look or a new one. Once, at the end of a command. */
  refresh(team: TeamName, seen?: Fleet): Promise<RefreshPlan & { fleet: Fleet }>;
  /** Draws one line over itself; null removes it. */
  progress(line: string | null): void;
  /** Prints one line. */
  say(line: string): void;
  /** Ctrl-C: long work stops after a whole step. */
  interrupted: AbortSignal;
}
