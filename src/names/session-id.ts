// The session id of a team-file agent. It is derived, so it is the same on every machine and after every crash.
//
// [D1] The same project and agent always give the same id. Case, spaces and Unicode form count.
// [D2] The namespace never changes: a change would orphan every conversation that was resumed by its id.

import { v5 } from "uuid";
import type { SessionId } from "./gates.js";

export const sessionNamespace = "6dd6c8a3-44b6-4a18-9b05-91c1e257fb3d";

/** The source of the id, and the title that the client is started with. */
export function sessionName(project: string, agent: string): string {
  return `teamctl:${project}:${agent}`;
}

export function deriveSessionId(project: string, agent: string): SessionId {
  return v5(sessionName(project, agent), sessionNamespace) as SessionId;
}
