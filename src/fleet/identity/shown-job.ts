// Which conversation a pane shows if its client shows background conversations: after `←`, with `claude attach` or
// with `claude agents`. The client's registry does not tell, so the pane's title decides. Pure.
//
// - If the title is the list's, the pane's conversation is the one that its client moved to the background.
// - Otherwise the title names the conversation that is shown. A job that a client moved after `/clear` has no name.
//   Until it answers, its title is its client's own name; then it is one that the client uses for nothing else.
// - `claude attach JOB` sets no title: the pane shows that job until a title names another.
// - If no job, or more than one, has that name, the shown conversation is unknown.

import type { Job, JobId, LiveSession } from "../../agents/agent.js";
import type { SessionArguments } from "../../agents/launch.js";
import type { SessionId } from "../../names/gates.js";
import type { OpenRequest } from "../requests.js";
import type { Client } from "./clients.js";

/** A conversation that runs without a pane of its own. */
export interface BackgroundSession extends Client {
  folder: string;
  live: LiveSession & { job: JobId };
  /** The conversation it was forked from, if its job records one. */
  parent: SessionId | null;
  /** As in `FleetPane`. */
  requests?: readonly OpenRequest[];
}

/**
 * Null for a client that shows its own conversation. `isList`: the pane shows the list of conversations, and typed
 * text would begin a new one. `maybe`: sessions that the pane may show, if it is unclear which.
 */
export function shownIn(
  { title }: { title: string },
  { agent, live }: Client,
  given: SessionArguments,
  background: readonly BackgroundSession[],
  jobs: () => readonly Job[],
): { isList: boolean; live: LiveSession | null; maybe: readonly SessionId[] } | null {
  if (live?.parkedJob === undefined && given.shows === undefined) return null;
  const own = live?.parkedJob ?? given.shows?.job ?? null;
  const liveOf = (job: JobId | null, reason: string): LiveSession | null => {
    const running = background.find((each) => each.live.job === job);
    if (running !== undefined) return { ...running.live, reason };
    const left = jobs().find(({ id }) => id === job);
    return left === undefined ? null : { ...restOf(left), reason };
  };
  const { titles } = agent;
  if (titles?.isListTitle?.(title) === true) {
    const parked = liveOf(live?.parkedJob ?? null, "the background job that its client moved it to");
    return { isList: true, live: parked, maybe: [] };
  }
  const named = (text: string) => titles?.nameInTitle(text) ?? null;
  const name = named(title);
  const nameOf = ({ live: { name } }: BackgroundSession) => (name === null ? null : named(name));
  const called = name === null ? [] : background.filter((each) => nameOf(each) === name);
  const [only] = called;
  if (only !== undefined && called.length === 1) {
    const shown = liveOf(only.live.job, "the background job that its title names");
    return { isList: false, live: shown, maybe: [] };
  }
  const isOwnName = name !== null && live?.name != null && named(live.name) === name;
  const isMoved = titles?.isMovedTitle?.(title) === true || (isOwnName && isOnlyNameless(live, background));
  if (called.length === 0 && live?.parkedJob !== undefined && isMoved) {
    const moved = liveOf(live.parkedJob, "the background job that its client moved it to");
    return { isList: false, live: moved, maybe: [] };
  }
  if (called.length === 0 && live === null && own !== null)
    return { isList: false, live: liveOf(own, "the background job that it was started to show"), maybe: [] };
  const maybe = (called.length > 0 ? called : background).map((each) => each.live.sessionId);
  return { isList: false, live: null, maybe };
}

/** Whether the moved job lacks a name, and no other does: that one might have the same title. */
function isOnlyNameless(live: LiveSession | null, background: readonly BackgroundSession[]): boolean {
  const nameless = background.filter(({ live: { name, job } }) => name === null || name === job);
  return nameless.length === 1 && nameless[0]!.live.job === live?.parkedJob;
}

/** For a job whose process has ended or has no registry file yet. */
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
