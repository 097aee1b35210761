// The session id of a team-file agent: derived, so that it is the same on every machine and after every crash.
//
// [D1] The same project and agent always give the same id; nothing is normalised: case, spaces and Unicode form count.
// [D2] The namespace is frozen for ever: changing it would orphan every conversation that was ever resumed by it.

import { v5 } from "uuid";
import type { SessionId } from "./gates.js";

export const sessionNamespace = "6dd6c8a3-44b6-4a18-9b05-91c1e257fb3d";

/** What the id is derived from, and the title the client is started with. */
export function sessionName(project: string, agent: string): string {
  return `teamctl:${project}:${agent}`;
}

export function deriveSessionId(project: string, agent: string): SessionId {
  return v5(sessionName(project, agent), sessionNamespace) as SessionId;
}
