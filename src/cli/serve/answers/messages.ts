// The answers about messages and events, as JSON schemas.

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
import { eventNames } from "../../../events/event.js";
import { receiptSteps } from "../../../stores/receipts.js";
import { lost, standing } from "./fleet.js";

const step = oneOf(...receiptSteps);

export const queueAnswer = answer({
  queues: list(
    object({
      agent: text,
      pane: maybe(text),
      role: maybe(text),
      standing,
      messages: list(
        object({
          id: text,
          epoch: text,
          intent: text,
          text,
          ageSeconds: whole,
          expired: flag,
          step,
        }),
      ),
    }),
  ),
  uncertain: list(object(lost)),
  strangers: list(object({ pane: text, path: text, messages: whole, isTakenIn: flag })),
});

export const messagesAnswer = answer({
  agent: maybe(text),
  pane: maybe(text),
  role: maybe(text),
  standing: maybe(standing),
  messages: list(
    object({
      id: text,
      direction: oneOf("received", "sent"),
      with: object({ kind: oneOf("person", "agent"), name: text, agent: maybe(text) }),
      text: maybe(text),
      door: maybe(oneOf("keys", "inbox")),
      step,
      steps: list(object({ at: time, step, pane: maybe(text), detail: text })),
    }),
  ),
});

/** The arguments depend on the event. */
export const eventsAnswer = answer({
  events: list(
    object({
      at: time,
      event: oneOf(...eventNames()),
      args: { type: "object", additionalProperties: anything },
    }),
  ),
});

const sent: Readonly<Record<string, JsonSchema>> = {
  pane: text,
  paneId: text,
  outcome: oneOf("delivered", "queued", "held", "refused", "uncertain"),
  id: maybe(text),
  position: maybe(whole),
  why: maybe(text),
  door: maybe(oneOf("keys", "inbox")),
};

export const sendAnswer = answer({ ...sent, answered: maybe(flag), answer: maybe(text) });
export const broadcastAnswer = answer({ team: text, agents: list(object({ ...sent, role: maybe(text) })) });

/** What the command prints, line by line; notes are warnings and what to type next. */
export const linesAnswer = answer({ lines: list(text), notes: list(text) });
