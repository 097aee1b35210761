// The list of supported agents.

import type { ProcessInfo } from "../base/system/process.js";
import type { AgentKind, Kind } from "../names/kind.js";
import type { Root, TranscriptFormat } from "../transcripts/find.js";
import { type Ability, need } from "./abilities.js";
import type { Agent, StartPace } from "./agent.js";
import { claude } from "./claude/claude.js";
import { promptForm, troubleWords } from "./claude/screen/screen.js";
import { cleanTitle } from "./claude/title.js";
import { claw } from "./claw/claw.js";
import { codex } from "./codex/codex.js";
import { readTitle } from "./codex/title.js";
import { demo } from "./demo/demo.js";
import { gemini } from "./gemini/gemini.js";
import { stateInTitle } from "./gemini/title.js";
import { opencode } from "./opencode/opencode.js";
import { isOwnTitle, nameInTitle as nameInOpencode } from "./opencode/title.js";
import type { SpokenLines } from "./utterance.js";

export const agents: readonly Agent[] = [demo, claude, claw, codex, opencode, gemini];

/** The kinds that keep files of their own. The demo agent keeps Claude Code's. */
export const families: readonly AgentKind[] = agents.flatMap((agent) =>
  agent.home !== undefined && agent.kind !== "demo" ? agent.kind : [],
);

/** The kind whose files an agent of this kind keeps; null if it keeps none. */
export function familyOf(kind: Kind): AgentKind | null {
  const home = agentOfKind(kind)?.home;
  return families.find((family) => home !== undefined && agentOfKind(family)!.home === home) ?? null;
}

/** Where an agent of this kind keeps its transcripts, below the folder of its client. */
export function rootFor(kind: Kind, folder: string): Root[] {
  const format = agentOfKind(kind)?.transcripts;
  return format === undefined ? [] : [{ folder, format }];
}

export function agentOf(process: ProcessInfo): Agent | null {
  // A look asks about each process of a fleet several times. Copies of a process share its arguments.
  const known = recognised.get(process.args);
  if (known?.command === process.command) return known.agent;
  const agent = agents.find((each) => each.recognises(process)) ?? null;
  recognised.set(process.args, { command: process.command, agent });
  return agent;
}

const recognised = new WeakMap<readonly string[], { command: string; agent: Agent | null }>();

export function agentOfKind(kind: Kind): Agent | null {
  return agents.find((agent) => agent.kind === kind) ?? null;
}

/** A shell logs in nowhere, so it waits for nobody; it starts alone because nothing reports that it is up. */
export function startPaceOf(kind: Kind): StartPace {
  return agentOfKind(kind)?.start?.pace ?? { atOnce: 1, gapMs: 0 };
}

/** The agent whose registry decides about a program that no agent recognises by name. */
export const registryAgent: Agent = claude;

/** A screen that matches this needs a closer look even if its agent reports idle: trouble words, or no input box. */
export const suspiciousScreen: { search: string; lacking: string } = {
  search: troubleWords,
  lacking: promptForm,
};

/** The session name in the title of a pane where no agent runs: an ended agent leaves its title behind. */
export function nameInTitle(title: string): string | null {
  if (stateInTitle(title) !== null) return null;
  if (isOwnTitle(title)) return nameInOpencode(title);
  const { idStart, name } = readTitle(title);
  return idStart === null ? cleanTitle(title) : name;
}

/** Refuses in words what an agent of this kind cannot do. */
export function needOf(kind: Kind, ability: Ability): void {
  const agent = agentOfKind(kind);
  if (agent !== null) need(agent, ability);
}

/** How a conversation of this kind is found. */
export function formatOf(kind: Kind): TranscriptFormat {
  return agentOfKind(kind)?.transcripts ?? registryAgent.transcripts!;
}

/** The words in the lines of a conversation of this kind. */
export function spokenLines(kind: Kind): SpokenLines {
  return agentOfKind(kind)?.spoken ?? registryAgent.spoken!;
}

/** Whether a client of any kind would run, remember or send off this line instead of reading it. */
export function isObeyed(text: string): boolean {
  return agents.some(({ keyboard }) => keyboard?.obeys(text) === true);
}

/** A branch is titled by its first words until a person names it. Such a title does not identify it. */
export function isMadeUpTitle(title: string): boolean {
  return / \(Branch(?: \d+)?\)$/.test(title.trimEnd());
}
