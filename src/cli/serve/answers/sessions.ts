// The answers about conversations and their family, as JSON schemas.

import {
  answer,
  anything,
  flag,
  type JsonSchema,
  list,
  maybe,
  object,
  oneOf,
  text,
  time,
  whole,
} from "../../../base/json-schema.js";
import { sessionLives } from "../../../fleet/lineage/lineage-graph.js";
import { background, fill, kind, state, workspace } from "./fleet.js";

const role = oneOf("system", "user", "assistant", "tool");

const session: Readonly<Record<string, JsonSchema>> = {
  id: text,
  agent: kind,
  title: maybe(text),
  cwd: maybe(text),
  fingerprint: maybe(text),
  model: maybe(text),
  context: fill,
  messages: maybe(whole),
  sizeBytes: maybe(whole),
  gitBranch: maybe(text),
  branch: maybe(text),
  parent: maybe(text),
  forkPoint: maybe(text),
  createdAt: maybe(time),
  updatedAt: maybe(time),
  path: maybe(text),
  pane: maybe(text),
  lastPane: maybe(text),
  background,
  state,
  lifecycle: oneOf("running", "idle shell", "saved"),
  abandoned: maybe(text),
  worktree: maybe(object({ branch: maybe(text), changedFiles: whole, unpushed: maybe(whole) })),
  worktreeUnknown: maybe(text),
};

export const sessionsAnswer = answer({
  workspace,
  hidden: whole,
  refused: list(object({ path: text, id: anything, reason: anything, why: text })),
  sessions: list(object(session)),
});

const said = list(object({ role, at: maybe(time), text }));

export const sessionAnswer = answer({
  workspace,
  session: object({ ...session, children: list(text), deletedAt: maybe(time) }),
  first: said,
  last: said,
});

export const searchAnswer = answer({
  query: object({ text, isCaseSensitive: flag }),
  workspace,
  searched: object({ sessions: whole, of: whole }),
  ended: maybe(oneOf("enough", "interrupted")),
  sessions: list(
    object({
      id: text,
      agent: kind,
      title: maybe(text),
      cwd: maybe(text),
      fingerprint: maybe(text),
      path: maybe(text),
      updatedAt: maybe(time),
      isCut: flag,
      hits: list(
        object({
          role,
          kind: oneOf("text", "thinking", "tool_use", "tool_result", "other", "skipped"),
          before: text,
          match: text,
          after: text,
          at: maybe(time),
        }),
      ),
    }),
  ),
});

const block: JsonSchema = {
  oneOf: [
    object({ kind: oneOf("text", "thinking"), text }),
    object({ kind: { const: "tool_use" }, name: text, input: anything }),
    object({ kind: { const: "tool_result" }, name: maybe(text), output: text, isError: flag }),
    object({ kind: { const: "other" }, type: text }),
    object({ kind: { const: "skipped" }, sizeBytes: whole }),
  ],
};

export const pageAnswer = answer({
  session: object({
    id: text,
    agent: kind,
    title: maybe(text),
    cwd: maybe(text),
    model: maybe(text),
    path: maybe(text),
    updatedAt: maybe(time),
    messages: maybe(whole),
  }),
  messages: list(object({ place: whole, role, isSide: flag, blocks: list(block), at: maybe(time) })),
  before: maybe(whole),
  total: whole,
});

export const lineageAnswer = answer({
  nodes: list(
    object({
      id: text,
      agent: maybe(kind),
      title: maybe(text),
      cwd: maybe(text),
      fingerprint: maybe(text),
      createdAt: maybe(time),
      updatedAt: maybe(time),
      messages: maybe(whole),
      compactions: maybe(whole),
      sizeBytes: maybe(whole),
      path: maybe(text),
      pane: maybe(text),
      background,
      team: maybe(text),
      role: maybe(text),
      life: oneOf(...sessionLives),
      state: maybe(state),
      gone: flag,
      lastSeen: maybe(object({ at: time, pane: maybe(text), role: maybe(text), state })),
    }),
  ),
  edges: list(
    object({
      parent: text,
      child: text,
      forkPoint: maybe(text),
      forkedAt: maybe(time),
      kind: oneOf("fork", "branch", "clear", "compact", "team"),
      source: oneOf(
        ...["chosen", "forkedFrom", "sharedMessages", "hook", "arguments", "forksFile", "startedAs"],
      ),
      inferred: flag,
    }),
  ),
});

const stay: Readonly<Record<string, JsonSchema>> = {
  session: text,
  role: maybe(text),
  seenFrom: time,
  seenTo: time,
  places: list(object({ pane: text, seenFrom: time, seenTo: time })),
  sources: list(text),
  isThereNow: flag,
  overBy: maybe(time),
  why: maybe(text),
};

/** With a time: what was there then. */
export const historyAnswer: JsonSchema = {
  oneOf: [
    answer({ pane: maybe(text), session: maybe(text), stays: list(object(stay)) }),
    answer({
      pane: maybe(text),
      session: maybe(text),
      at: time,
      answers: list(object({ ...stay, pane: maybe(text) })),
    }),
  ],
};
