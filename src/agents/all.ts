// The list of supported agents.

import type { ProcessInfo } from "../processes/process.js";
import type { TranscriptParser } from "../transcripts/transcript.js";
import type { Agent, Kind } from "./agent.js";
import { claude } from "./claude/claude.js";
import { demo } from "./demo/demo.js";

export const agents: readonly Agent[] = [demo, claude];

export function agentOf(process: ProcessInfo): Agent | null {
  return agents.find((agent) => agent.recognises(process)) ?? null;
}

export function agentOfKind(kind: Kind): Agent | null {
  return agents.find((agent) => agent.kind === kind) ?? null;
}

/** All that write transcripts so far write Claude's. */
export const transcriptLines: TranscriptParser = claude.transcripts;

/** The folder an agent without one of its own uses. */
export function defaultFolder(env: NodeJS.ProcessEnv): string | null {
  return claude.folderOf(null, env);
}

/** What a title names where no agent runs to be asked: an ended one leaves its title behind. */
export function nameInTitle(title: string): string | null {
  return claude.nameInTitle(title);
}
