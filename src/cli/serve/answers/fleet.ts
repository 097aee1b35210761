// The answers about agents and about requests to a person, as JSON schemas.

import { answer, flag, list, maybe, object, oneOf, text, time, whole } from "../../../base/json-schema.js";
import { kinds } from "../../../names/kind.js";

export const workspace = maybe(object({ path: text, fingerprint: text, partition: text }));
export const kind = oneOf(...kinds);
export const state = oneOf("live", "stable", "stale", "broken", "unknown");
export const background = maybe(object({ pid: whole, job: text }));
export const fill = maybe(object({ used: whole, window: maybe(whole) }));
const activity = oneOf(
  ...["idle", "busy", "waiting", "limited", "error", "context-low", "unknown"],
  ...["crashed", "shell", "parked"],
);
export const standing = oneOf("present", "elsewhere", "away");

const requestFacts = {
  id: text,
  since: time,
  tool: text,
  line: text,
  questions: list(object({ text, options: list(text), takesSeveral: flag })),
  isPlain: flag,
  rules: list(text),
  subAgent: maybe(text),
};

const agent = object({
  agent: maybe(text),
  standing: maybe(standing),
  pane: text,
  paneId: maybe(text),
  role: maybe(text),
  kind: maybe(kind),
  uuid: maybe(text),
  state: maybe(state),
  activity: maybe(activity),
  since: maybe(time),
  waitingFor: maybe(text),
  requests: list(object(requestFacts)),
  about: maybe(text),
  until: maybe(time),
  activityEvidence: list(
    object({
      source: oneOf("tmux", "request", "registry", "hook", "transcript", "screen"),
      activity,
      chosen: flag,
      reason: text,
    }),
  ),
  model: maybe(text),
  context: fill,
  queued: whole,
  cwd: maybe(text),
  title: maybe(text),
  lastWords: maybe(text),
});

const inBackground = object({
  uuid: text,
  job: text,
  name: maybe(text),
  kind,
  pid: whole,
  activity,
  state,
  parent: maybe(text),
  waitingFor: maybe(text),
  requests: list(object(requestFacts)),
  model: maybe(text),
  context: fill,
  cwd: maybe(text),
});

const team = object({
  team: text,
  running: flag,
  registered: flag,
  active: flag,
  description: maybe(text),
  agents: list(agent),
});

export const statusAnswer = answer({ workspace, teams: list(team), background: list(inBackground) });

/** Milliseconds since 1970, or between two moments. */
const ms = { type: "number" };

export const host = object({
  host: text,
  isReached: flag,
  isStopped: flag,
  seenAtMs: ms,
  ageMs: ms,
  machine: text,
  version: text,
  agents: whole,
  unreadable: whole,
});

/** An agent as its host published it. */
export const farAgent = object({
  host: text,
  agent: maybe(text),
  team: maybe(text),
  role: maybe(text),
  kind: maybe(kind),
  session: maybe(text),
  pane: maybe(text),
  standing: maybe(oneOf("present", "elsewhere", "away", "background")),
  activity: maybe(text),
  since: maybe(time),
  until: maybe(time),
  asks: whole,
  queued: whole,
  model: maybe(text),
  context: fill,
  folder: maybe(text),
  writtenAtMs: ms,
  ageMs: ms,
});

export const hostsAnswer = answer({
  host: maybe(text),
  readOnly: flag,
  lease: maybe(object({ isFresh: flag, epoch: maybe(whole), ageMs: maybe(ms), serverNowMs: maybe(ms) })),
  serverVersion: maybe(text),
  hosts: list(host),
  agents: list(farAgent),
});

const waiter = {
  who: text,
  team: maybe(text),
  agent: maybe(text),
  pane: maybe(text),
  paneId: maybe(text),
};

export const lost = {
  id: text,
  agent: maybe(text),
  pane: maybe(text),
  at: time,
  detail: text,
  ageSeconds: whole,
};

export const inboxItem = {
  oneOf: [
    object({
      ...waiter,
      kind: { const: "request" },
      request: object({ ...requestFacts, lines: list(text) }),
    }),
    object({ ...waiter, kind: { const: "dialog" }, about: maybe(text), rows: maybe(list(text)) }),
    object({
      ...waiter,
      kind: oneOf("limited", "error", "crashed"),
      about: maybe(text),
      until: maybe(time),
    }),
    object({
      ...waiter,
      kind: { const: "message" },
      message: object({ ...lost, step: oneOf("uncertain", "expired", "refused") }),
      text: maybe(text),
    }),
  ],
};

export const inboxAnswer = answer({ items: list(inboxItem) });

export const contextAnswer = answer({
  contexts: list(
    object({
      pane: maybe(text),
      uuid: maybe(text),
      used: maybe(whole),
      window: maybe(whole),
      percent: maybe({ type: "number" }),
      source: maybe(oneOf("transcript", "status line", "settings", "model", "largest", "default")),
      ageSeconds: maybe(whole),
      compacted: flag,
      model: maybe(text),
    }),
  ),
});

export const contextHistoryAnswer = answer({
  pane: maybe(text),
  uuid: text,
  model: maybe(text),
  window: maybe(whole),
  points: list(object({ at: time, used: whole })),
  compactions: list(object({ at: maybe(time) })),
});
