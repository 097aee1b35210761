// The role prompt of an agent whose program takes no prompt at a start: it goes into the agent's inbox as its user's
// word, once the agent is up.

import { randomUUID } from "node:crypto";
import type { Agent } from "../../agents/agent.js";
import { HiveError } from "../../base/errors.js";
import type { PaneId, SessionId } from "../../names/gates.js";
import type { TeamWorld } from "../world.js";

export interface FirstWords {
  pane: PaneId;
  session: SessionId;
  prompt: string;
}

export async function sayFirstWords(
  { panes, stores, env }: Pick<TeamWorld, "panes" | "stores" | "env">,
  { inbox }: Agent,
  { pane: id, session, prompt }: FirstWords,
): Promise<void> {
  const place = (await panes()).panes.find((pane) => pane.id === id)?.live?.inbox;
  const letter = { id: randomUUID(), session, from: "", isUsers: true, text: prompt };
  const posted =
    place === undefined
      ? { isWritten: false as const, why: "its inbox is not open" }
      : await inbox!.post({ ...place, key: stores.keys.read(session) }, letter, env);
  if (posted.isWritten) return;
  throw new HiveError(`the agent runs, but it did not get its prompt: ${posted.why}`, {
    hint: `hivemind send ${id} PROMPT`,
  });
}
