// Sub-agents are conversations with files and locks of their own, inside the process of the agent that began them.

import { readSessionId, type SessionId } from "../../../names/gates.js";

/** The members that say so come before the long ones of the first line. */
export const headBytes = 4_096;

/** The `source` of a conversation's first record. */
export function isSubagentSource(source: unknown): boolean {
  return typeof source === "object" && source !== null && "subagent" in source;
}

/** From the beginning of a rollout: the agent that began this conversation as its sub-agent, or null. */
export function subagentOf(head: string): SessionId | null {
  const line = head.split("\n", 1)[0]!;
  if (!line.includes('"source":{"subagent":')) return null;
  return readSessionId(/"parent_thread_id":"([^"]+)"/.exec(line)?.[1]);
}
