// The messages of a conversation that the page knows, joined from pages of the server, and the part it shows. Pure.
//
// - Messages are in order of their places, each once.
// - The page shows a window: thousands of messages as elements would be slow. It grows at both ends.

import type { Utterance } from "../../src/agents/utterance.js";

export interface Message extends Omit<Utterance, "atMs"> {
  place: number;
  at: string | null;
  /** The record's own id, if the server gives it. */
  id?: string | null;
}

export interface MessagePage {
  session: { id: string; agent: string; title: string | null; cwd: string | null; model: string | null };
  messages: readonly Message[];
  before: number | null;
  total: number;
}

export interface Known {
  messages: readonly Message[];
  /** Ask for earlier messages with this; null at the beginning of the conversation. */
  before: number | null;
  total: number;
  /** The window: indexes into `messages`. An `until` of null follows the end. */
  from: number;
  until: number | null;
}

export const windowStep = 60;

export function opened({ messages, before, total }: MessagePage): Known {
  return { messages, before, total, from: 0, until: null };
}

export function shownOf({ messages, from, until }: Known): readonly Message[] {
  return messages.slice(from, until ?? undefined);
}

/** With an earlier page in front. The window shows it. */
export function withEarlier(known: Known, page: MessagePage): Known {
  const first = known.messages[0]?.place ?? Number.POSITIVE_INFINITY;
  const added = page.messages.filter(({ place }) => place < first);
  const until = known.until === null ? null : known.until + added.length;
  return { ...known, messages: [...added, ...known.messages], before: page.before, from: 0, until };
}

/** With the newest page. If it does not reach back to what is known, only it counts: a gap would hide messages. */
export function withNewest(known: Known, page: MessagePage): Known {
  const first = page.messages[0]?.place;
  if (first === undefined) return known;
  if (first > (known.messages.at(-1)?.place ?? -1) && first > known.total) return opened(page);
  // The last known message may have grown meanwhile.
  const kept = known.messages.filter(({ place }) => place < first);
  const next = { ...known, messages: [...kept, ...page.messages], total: page.total };
  return isSame(known, next) ? known : next;
}

/** A window around one message. */
export function around(known: Known, index: number): Known {
  const until = index + windowStep;
  return {
    ...known,
    from: Math.max(0, index - windowStep / 2),
    until: until >= known.messages.length ? null : until,
  };
}

export function longer(known: Known): Known {
  if (known.until === null) return known;
  const until = known.until + windowStep;
  return { ...known, until: until >= known.messages.length ? null : until };
}

/** Null if earlier messages must be asked for. */
export function earlier(known: Known): Known | null {
  return known.from === 0 ? null : { ...known, from: Math.max(0, known.from - windowStep) };
}

export interface Target {
  message: string | null;
  at: string | null;
}

/** The message with that id, else the last one not later than that time; null if it may be in an earlier page. */
export function indexOf({ messages, before }: Known, { message, at }: Target): number | null {
  const byId = message === null ? -1 : messages.findIndex(({ id }) => id === message);
  if (byId >= 0) return byId;
  const atMs = Date.parse(at ?? "");
  if (Number.isNaN(atMs)) return null;
  const byTime = messages.findLastIndex((each) => each.at !== null && Date.parse(each.at) <= atMs);
  if (byTime >= 0) return byTime;
  return before === null && messages.length > 0 ? 0 : null;
}

function isSame(a: Known, b: Known): boolean {
  return a.total === b.total && a.messages.length === b.messages.length;
}
