// What the API answers for a name of another host, as JSON schemas. A host that did not answer says why.

import { answer, flag, list, maybe, object, text } from "../../../base/json-schema.js";
import { farAgent, host, inboxItem } from "./fleet.js";

const ms = { type: "number" };
const asked = list(object({ host: text, reached: flag, why: maybe(text), ageMs: maybe(ms) }));

/** The value of the same question there. */
export const readThere = answer({
  hosts: asked,
  answers: list(
    object({
      host: text,
      answer: maybe({ type: "object" }),
      error: maybe(object({ message: text, hint: maybe(text) })),
    }),
  ),
});

export const statusThere = answer({ host: text, hosts: list(host), agents: list(farAgent) });
export const inboxThere = answer({ hosts: asked, items: list({ type: "object" }) });

export const sentThere = answer({
  ...{ to: text, id: text, outcome: text, why: maybe(text), answered: flag, hosts: asked },
});

export const broadcastThere = answer({
  team: maybe(text),
  hosts: asked,
  agents: list(
    object({
      host: text,
      role: maybe(text),
      pane: maybe(text),
      outcome: text,
      id: maybe(text),
      why: maybe(text),
    }),
  ),
});

/** What waits on one host, with names that can be used here. `isTextHidden`: that host does not show what is asked. */
export const hostInboxAnswer = answer({
  ...{ host: text, ageMs: ms, isTextHidden: flag, items: list(inboxItem) },
});
