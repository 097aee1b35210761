// The answers about snapshots, repairs and the team file, as JSON schemas.

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
import { severities } from "../../../reconcile/violation.js";
import { kind } from "./fleet.js";

const contents = list(object({ team: text, agents: whole, shells: whole }));

export const snapshotsAnswer = answer({
  snapshots: list(
    object({
      path: text,
      savedAt: time,
      ageSeconds: whole,
      isAutosave: maybe(flag),
      teams: maybe(contents),
      badRows: maybe(whole),
      problem: maybe(text),
    }),
  ),
});

export const saveAnswer = answer({ path: text, layouts: list(text), teams: contents, problems: list(text) });

const violations = list(
  object({
    severity: oneOf(...severities),
    invariant: text,
    store: text,
    op: oneOf("add", "update", "remove", "report"),
    key: text,
    expected: maybe(text),
    actual: maybe(text),
  }),
);
const summary = object(Object.fromEntries(["total", ...severities].map((name) => [name, whole])));
const broken = { pane: maybe(text), uuid: text, agent: maybe(text), team: text };

export const auditAnswer = answer({
  summary,
  violations,
  broken: list(object({ ...broken, isDropped: flag })),
});

export const repairAnswer = answer({
  summary,
  violations,
  repaired: violations,
  moved: list({
    ...{ type: "object", properties: { name: text }, required: ["name"] },
    additionalProperties: anything,
  }),
  dropped: list(object(broken)),
  skipped: list(object({ team: text, why: text })),
});

const trouble = { why: text, hint: maybe(text), exitCode: whole };
const placed = { pane: text, role: maybe(text) };
const asking = list(object({ ...placed, says: text }));
const left = list(object({ ...placed, is: oneOf("shell", "running", "elsewhere", "taken"), why: text }));
const refused = list(object({ ...placed, ...trouble }));

/** The watcher that runs beside the agents; null if none does. */
const backWatcher = maybe(object({ pid: whole, host: text, isNew: flag }));

const restored = object({
  team: text,
  source: text,
  isBuilt: flag,
  started: list(
    object({
      ...placed,
      paneId: text,
      uuid: text,
      parent: maybe(text),
      remark: maybe(text),
      waitsFor: maybe(text),
    }),
  ),
  failed: refused,
  left,
  refused,
  notReached: whole,
  asking,
});

const restorePlan = object({
  team: text,
  source: text,
  shape: oneOf("build", "complete", "there"),
  layout: object({
    team: text,
    windows: list(
      object({
        window: whole,
        name: text,
        layout: text,
        panes: list(object({ pane: whole, title: text, cwd: text, command: text })),
      }),
    ),
  }),
  strangers: anything,
  starts: list(
    object({
      saved: text,
      pane: maybe(text),
      agent: maybe(text),
      role: maybe(text),
      kind: maybe(kind),
      session: anything,
      cwd: text,
      model: maybe(text),
      remark: maybe(text),
    }),
  ),
  left,
  refused,
});

/** With `dryRun` the plans. */
export const restoreAnswer: JsonSchema = answer(
  { teams: list({ anyOf: [restored, restorePlan] }) },
  { watcher: backWatcher },
);

const deed = oneOf("add", "heal", "change", "remove", "adopt", "keep", "refuse");

const plan: Readonly<Record<string, JsonSchema>> = {
  project: text,
  team: text,
  file: text,
  isRunning: flag,
  steps: list(
    object({
      do: deed,
      agent: text,
      pane: maybe(text),
      paneId: maybe(text),
      session: maybe(text),
      why: text,
      remarks: list(text),
      hint: maybe(text),
      how: maybe(text),
      cwd: maybe(text),
      kind: maybe(kind),
      model: maybe(text),
      worktree: maybe(text),
      args: maybe(list(text)),
      env: maybe(list(text)),
    }),
  ),
  remarks: list(text),
};

export const planAnswer = answer(plan);
export const teamFileAnswer = answer({ path: text, text });

const done = object({
  do: deed,
  agent: text,
  address: maybe(text),
  session: maybe(text),
  parent: maybe(text),
  why: text,
  remarks: list(text),
});

/** With `dryRun` only the plan. */
export const upAnswer: JsonSchema = answer(plan, {
  done: list(done),
  failed: list(object({ agent: text, ...trouble })),
  notReached: whole,
  asking,
  watcher: backWatcher,
});
