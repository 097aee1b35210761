// The list of supported agents.

import type { ProcessInfo } from "../processes/process.js";
import type { TranscriptParser } from "../transcripts/transcript.js";
import type { Agent, Kind } from "./agent.js";
import { claude } from "./claude/claude.js";
import { registryFolder } from "./claude/registry.js";
import { promptForm, troubleWords } from "./claude/screen.js";
import { claw } from "./claw/claw.js";
import { demo } from "./demo/demo.js";

export const agents: readonly Agent[] = [demo, claude, claw];

export function agentOf(process: ProcessInfo): Agent | null {
  return agents.find((agent) => agent.recognises(process)) ?? null;
}

export function agentOfKind(kind: Kind): Agent | null {
  return agents.find((agent) => agent.kind === kind) ?? null;
}

/** Whose registry tells of a program that nobody recognises by its name. */
export const registryAgent: Agent = claude;

/** All that write transcripts so far write Claude's. */
export const transcriptLines: TranscriptParser = claude.transcripts;

/** A screen that matches this is worth a look, although its agent calls itself idle: words of trouble, or no input box. */
export const suspiciousScreen: { search: string; lacking: string } = {
  search: troubleWords,
  lacking: promptForm,
};

/** The folder an agent without one of its own uses. */
export function defaultFolder(env: NodeJS.ProcessEnv): string | null {
  return claude.folderOf(null, env);
}

/** Where agents write down what they do, of one config folder. */
export const liveFolder: (folder: string) => string = registryFolder;

/** What a title names where no agent runs to be asked: an ended one leaves its title behind. */
export function nameInTitle(title: string): string | null {
  return claude.nameInTitle(title);
}

/** A branch is called by its first words until somebody names it: that says nothing of who it is. */
export function isMadeUpTitle(title: string): boolean {
  return / \(Branch(?: \d+)?\)$/.test(title.trimEnd());
}
