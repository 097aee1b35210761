// The rows of the timeline: joined, filtered, by day. Pure.

import type { LoggedFact } from "../../src/web/contract.js";
import { type EventGroup, groupOf, plainSentence, teamOf } from "./event-sentence.js";

export interface TimelineFilter {
  /** Null: every kind. */
  group: EventGroup | null;
  team: string | null;
  /** Words in the sentence: an agent, a session, a person. */
  text: string;
}

export interface Day {
  /** The local day: `2026-11-18`. */
  day: string;
  /** The newest first. */
  facts: LoggedFact[];
}

/** The log and what came since, each row once. The newest last. */
export function joined(log: readonly LoggedFact[], live: readonly LoggedFact[]): LoggedFact[] {
  const seen = new Set(log.map(identity));
  return [...log, ...live.filter((fact) => !seen.has(identity(fact)))];
}

export function filteredFacts(
  facts: readonly LoggedFact[],
  { group, team, text }: TimelineFilter,
): LoggedFact[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return facts.filter((fact) => {
    if (group !== null && groupOf(fact.event) !== group) return false;
    if (team !== null && teamOf(fact) !== team) return false;
    if (words.length === 0) return true;
    const all = `${fact.event} ${plainSentence(fact)} ${JSON.stringify(fact.args)}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
}

/** The newest day first. */
export function byDay(facts: readonly LoggedFact[]): Day[] {
  const days: Day[] = [];
  for (const fact of facts.toReversed()) {
    const day = dayOf(fact.at);
    const last = days.at(-1);
    if (last?.day === day) last.facts.push(fact);
    else days.push({ day, facts: [fact] });
  }
  return days;
}

export function teamsIn(facts: readonly LoggedFact[]): string[] {
  return [...new Set(facts.flatMap((fact) => teamOf(fact) ?? []))].sort();
}

function dayOf(at: string): string {
  const date = new Date(at);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function identity({ at, event, args }: LoggedFact): string {
  return JSON.stringify([at, event, args]);
}
