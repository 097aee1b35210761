// Which conversation a pane shows whose client shows conversations of the background: after `←`, with `claude attach`
// or `claude agents`. The client's own registry does not say it; the pane's title does. Pure.
//
// [SHJ1] A title of the list means the list: the pane's conversation is the one that its client moved to the background.
// [SHJ2] Else the title names the conversation that is shown. `claude attach JOB` sets no title: it shows that job until
//       a title names another.
// [SHJ3] Where no job, or more than one, is called so, nobody knows which one is shown.

import type { Agent, Job, JobId, LiveSession, SessionArguments } from "../agents/agent.js";
import type { SessionId } from "../names/gates.js";
import type { Client } from "./clients.js";

/** A conversation that runs without a pane of its own. */
export interface BackgroundSession extends Client {
  folder: string;
  live: LiveSession & { job: JobId };
  /** The conversation it was forked from, where its job says so. */
  parent: SessionId | null;
}

export interface Shown {
  /** The list of conversations stands in the pane: typed words would begin another one. */
  isList: boolean;
  live: LiveSession | null;
  /** Sessions that the pane may show, where nothing tells which. */
  maybe: readonly SessionId[];
}

/** Null for a client that shows its own conversation. */
export function shownIn(
  { title }: { title: string },
  { agent, live }: Client,
  given: SessionArguments,
  background: readonly BackgroundSession[],
  jobs: () => readonly Job[],
): Shown | null {
  if (live?.parkedJob === undefined && given.shows === undefined) return null;
  const own = live?.parkedJob ?? given.shows?.job ?? null;
  const liveOf = (job: JobId | null, reason: string): LiveSession | null => {
    const running = background.find((each) => each.live.job === job);
    if (running !== undefined) return { ...running.live, reason };
    const left = jobs().find(({ id }) => id === job);
    return left === undefined ? null : { ...restOf(left), reason };
  };
  if (agent.isListTitle(title)) {
    const parked = liveOf(live?.parkedJob ?? null, "the background job that its client moved it to");
    return { isList: true, live: parked, maybe: [] };
  }
  const name = agent.nameInTitle(title);
  const called = background.filter((each) => isCalled(each, name, agent));
  const [only] = called;
  if (only !== undefined && called.length === 1)
    return {
      isList: false,
      live: liveOf(only.live.job, "the background job that its title names"),
      maybe: [],
    };
  if (called.length === 0 && live === null && own !== null)
    return { isList: false, live: liveOf(own, "the background job that it was told to show"), maybe: [] };
  const maybe = (called.length > 0 ? called : background).map((each) => each.live.sessionId);
  return { isList: false, live: null, maybe };
}

function isCalled({ live }: BackgroundSession, name: string | null, agent: Agent): boolean {
  return name !== null && live.name !== null && agent.nameInTitle(live.name) === name;
}

/** Of a job whose process has ended, or has no registry file yet. */
function restOf({ session, name, id }: Job): LiveSession {
  return {
    sessionId: session,
    name,
    isNameSuffixed: false,
    cwd: null,
    version: null,
    activity: null,
    waitingFor: null,
    updatedAtMs: null,
    job: id,
  };
}
