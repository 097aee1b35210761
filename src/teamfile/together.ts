// What agents of one file say of each other.
//
// [TFT1] Whoever is named is another agent of the file.
// [TFT2] A fork is of the kind of its parent, and never, in however many steps, a fork of itself.

import { meant, type Place, quoted } from "./problem.js";
import { type Report, type Settings, textIn } from "./settings.js";
import type { WantedAgent } from "./team-file.js";

/** An agent as it stands in the file. */
export interface Draft extends Place {
  id: string;
  own: Settings;
}

export function checkTogether(
  drafts: readonly Draft[],
  agents: readonly WantedAgent[],
  defaults: Settings,
  report: Report,
): void {
  const ids = drafts.map(({ id }) => id);
  const check = (
    settings: Settings,
    name: string,
    own: string | null,
    isFit: (other: string) => string | null,
  ) => {
    const other = textIn(settings, name);
    if (other === null) return;
    const { line, column } = settings.get(name)!;
    const message = other === own ? `${quoted(own)} names itself` : (whoIs(other, own, ids) ?? isFit(other));
    if (message !== null) report({ line, column, message: `\`${name}\`: ${message}` });
  };
  const byId = new Map<string, WantedAgent>(agents.map((agent) => [agent.id, agent]));
  check(defaults, "reports_to", null, () => null);
  for (const { id, own } of drafts) {
    check(own, "reports_to", id, () => null);
    check(own, "fork", id, (parent) => whyNoFork(byId.get(id)!, byId.get(parent)!, byId));
  }
}

function whoIs(named: string, own: string | null, ids: readonly string[]): string | null {
  const others = ids.filter((id) => id !== own);
  if (others.includes(named)) return null;
  return `no agent here is ${quoted(named)}: ${meant(named, others, `there are ${others.join(", ") || "no others"}`)}`;
}

function whyNoFork(
  { id, kind }: WantedAgent,
  parent: WantedAgent,
  byId: ReadonlyMap<string, WantedAgent>,
): string | null {
  if (parent.kind !== kind)
    return `a ${kind} cannot begin as a fork of ${quoted(parent.id)}, a ${parent.kind}`;
  const chain: string[] = [id];
  for (let at: WantedAgent | undefined = parent; at !== undefined; at = byId.get(at.fork ?? "")) {
    chain.push(at.id);
    if (at.id === id) return `a ring of forks, ${chain.join(" ← ")}`;
    // A ring further up is told there.
    if (chain.length > byId.size + 1) return null;
  }
  return null;
}
