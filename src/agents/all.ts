// The list of supported agents.

import type { ProcessInfo } from "../processes/process.js";
import type { TranscriptParser } from "../transcripts/transcript.js";
import type { Agent, Kind } from "./agent.js";
import { claude } from "./claude/claude.js";
import { registryFile, registryFolder } from "./claude/registry.js";
import { promptForm, troubleWords } from "./claude/screen/screen.js";
import { claw } from "./claw/claw.js";
import { demo } from "./demo/demo.js";

export const agents: readonly Agent[] = [demo, claude, claw];

export function agentOf(process: ProcessInfo): Agent | null {
  return agents.find((agent) => agent.recognises(process)) ?? null;
}

export function agentOfKind(kind: Kind): Agent | null {
  return agents.find((agent) => agent.kind === kind) ?? null;
}

/** The agent whose registry decides about a program that no agent recognises by name. */
export const registryAgent: Agent = claude;

/** Every agent that writes transcripts writes Claude's format. */
export const transcriptLines: TranscriptParser = claude.transcripts;

/** A screen that matches this needs a closer look even if its agent reports idle: trouble words, or no input box. */
export const suspiciousScreen: { search: string; lacking: string } = {
  search: troubleWords,
  lacking: promptForm,
};

/** The config folder of an agent that sets none. */
export function defaultFolder(env: NodeJS.ProcessEnv): string | null {
  return claude.folderOf(null, env);
}

/** The folder in which agents report what they do, inside a config folder. */
export const liveFolder: (folder: string) => string = registryFolder;

/** The file in which one process reports what it does. */
export const liveFile: (folder: string, pid: number) => string = registryFile;

/** The session name in the title of a pane where no agent runs: an ended agent leaves its title behind. */
export function nameInTitle(title: string): string | null {
  return claude.nameInTitle(title);
}

/** A branch is titled by its first words until a person names it. Such a title does not identify it. */
export function isMadeUpTitle(title: string): boolean {
  return / \(Branch(?: \d+)?\)$/.test(title.trimEnd());
}
