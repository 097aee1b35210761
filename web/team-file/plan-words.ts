// The plan of a team file in words. Pure.

import type { planFacts } from "../../src/cli/up/show-up.js";
import type { Tone } from "../parts/badge.js";

export type TeamPlan = ReturnType<typeof planFacts>;
export type PlanStep = TeamPlan["steps"][number];

interface DeedWords {
  sign: string;
  word: string;
  tone: Tone;
}

const deeds: Readonly<Record<PlanStep["do"], DeedWords>> = {
  add: { sign: "+", word: "start", tone: "good" },
  heal: { sign: "+", word: "start again", tone: "good" },
  change: { sign: "~", word: "restart", tone: "accent" },
  remove: { sign: "−", word: "end", tone: "bad" },
  adopt: { sign: "=", word: "adopt", tone: "info" },
  keep: { sign: "=", word: "keep", tone: "plain" },
  refuse: { sign: "!", word: "cannot", tone: "bad" },
};

export function deedWords(step: Pick<PlanStep, "do">): DeedWords {
  return deeds[step.do];
}

/** `2 to start, 1 to restart, 3 stay` */
export function planSummary(steps: readonly Pick<PlanStep, "do">[]): string {
  const count = (...wanted: PlanStep["do"][]) => steps.filter((step) => wanted.includes(step.do)).length;
  const parts = [
    [count("add", "heal"), "to start"],
    [count("change"), "to restart"],
    [count("remove"), "to end"],
    [count("adopt"), "to adopt"],
    [count("refuse"), "that cannot start"],
  ] as const;
  const words = parts.filter(([number]) => number > 0).map(([number, what]) => `${number} ${what}`);
  const kept = count("keep");
  if (words.length === 0) return kept === 0 ? "The file names no agents" : "Everything runs as the file says";
  return [...words, ...(kept > 0 ? [`${kept} unchanged`] : [])].join(", ");
}

/** The line that begins an agent's entry: `lead:` or `- id: lead`; null if it is not found. */
export function lineOfAgent(lines: readonly string[], agent: string): number | null {
  const name = agent.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const entry = new RegExp(`^\\s+(-\\s+)?((id|name|role):\\s*)?["']?${name}["']?\\s*(:.*)?(#.*)?$`);
  const at = lines.findIndex((line) => entry.test(line));
  return at < 0 ? null : at;
}
