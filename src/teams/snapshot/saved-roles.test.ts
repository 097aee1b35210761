import { expect, test } from "vitest";
import { agentRow } from "../../../test/fleet/made.js";
import { row } from "../../../test/teams/made.js";
import type { AgentId } from "../../names/agent-id.js";
import type { Role, SessionId } from "../../names/gates.js";
import { laterNames } from "./saved-roles.js";

/** `po 1 x`: a role, a session and an agent's id; `–` for none. */
function words(text: string) {
  const [role, session, id = null] = text.split(" ").map((word) => (word === "–" ? null : word));
  return { role: role as Role | null, session: session as SessionId | null, id: id as AgentId | null };
}

function names(saved: string[], stored: string[]): (Role | null)[] {
  const rows = saved.map(words).map(({ role, session, id }, pane) => {
    return row(`0.${pane}`, { role, uuid: session, agent: id });
  });
  const agents = stored.map(words).map(({ role, session, id }, at) => {
    return agentRow(`t:0.${at}`, role, { session, ...(id === null ? {} : { id }) });
  });
  return laterNames(rows, agents).map(({ role }) => role);
}

test.each<[string, string[], string[], (string | null)[]]>([
  ["a later name is used", ["a 1", "c 2"], ["lead 2", "a 1"], ["a", "lead"]],
  ["so is a first name", ["– 1"], ["po 1"], ["po"]],
  ["two agents that swapped names have their new names", ["a 1", "c 2"], ["c 1", "a 2"], ["c", "a"]],
  ["an agent without a role changes nothing", ["a 1", "– –"], ["– 1"], ["a", null]],
  ["of two agents with one session, the id decides", ["a 1 y"], ["b 1 x", "c 1 y"], ["c"]],
  ["an id with another session changes nothing", ["a 1 x"], ["b 2 x"], ["a"]],
  ["an agent without a session matches no other", ["– –"], ["po –"], [null]],
  ["no name is given twice", ["lead 1", "c 2"], ["lead 2"], ["lead", "c"]],
])("%s", (_, saved, stored, expected) => expect(names(saved, stored)).toEqual(expected));
