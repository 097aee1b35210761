// The question for a person if two conversations could be an agent's. Pure.

import { couldBe, type Discovery } from "../../fleet/identity/discover.js";
import type { Role } from "../../names/gates.js";

export interface Question {
  why: string;
  hint: string;
}

/** Null if there is nothing to ask. */
export function whichSession(
  found: Discovery | undefined,
  { address, role }: { address: string; role: Role | null },
): Question | null {
  const sessions = found === undefined ? [] : couldBe(found);
  if (found === undefined || sessions.length === 0) return null;
  const words = sessions.map((session) => {
    const isSeen = found.evidence.some(({ uuid, source }) => uuid === session && source === "cache");
    return isSeen ? `${session} (last seen here)` : session;
  });
  const [first] = sessions;
  return {
    why: `${role ?? address} is in one of these conversations, but it is unknown which: ${words.join(", ")}`,
    hint:
      role === null
        ? `fork the right one: hivemind agent respawn ${address} --from ${first}`
        : `choose one: hivemind registry set ${address} ${role} ${first}`,
  };
}
