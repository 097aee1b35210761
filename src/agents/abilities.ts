// What a kind of agent cannot do, in words for the person who asked for it.
//
// [AB1] An ability is either a member of the agent or a sentence in its `lacks`, never both and never neither.

import { HiveError } from "../base/errors.js";
import type { Agent } from "./agent.js";

/** What a command can ask of an agent. */
export const abilities = [
  "start",
  "fork",
  "message",
  "decide",
  "probe",
  "tools",
  "copy",
  "archive",
  "rebind",
  "move",
] as const;
export type Ability = (typeof abilities)[number];

export interface Lack {
  why: string;
  hint: string;
}

/** Whether the agent has the members that this ability needs. */
export const has: Readonly<Record<Ability, (agent: Agent) => boolean>> = {
  start: ({ start }) => start !== undefined,
  fork: ({ start }) => start?.forks === true,
  message: ({ inbox, keyboard }) => inbox !== undefined || keyboard !== undefined,
  decide: ({ keyboard }) => keyboard !== undefined,
  probe: ({ screen }) => screen?.readStatus !== undefined,
  tools: ({ start }) => start?.givesTools === true,
  copy: ({ files }) => files?.copy === true,
  archive: ({ files }) => files?.archive === true,
  rebind: ({ files }) => files?.rebind === true,
  move: ({ files }) => files?.move === true,
};

/** Refuses in words. */
export function need(agent: Agent, ability: Ability): void {
  if (has[ability](agent)) return;
  const { why, hint } = agent.lacks[ability]!;
  throw new HiveError(why, { hint });
}
