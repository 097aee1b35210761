// What a person chose or wrote, as the answers that the server takes. Pure.

import type { Question } from "../../src/agents/asked.js";

export interface Given {
  /** Places of chosen options, from 0. */
  chosen: readonly number[];
  /** Words of the person's own; they count instead of options if `isOwn`. */
  own: string;
  isOwn: boolean;
}

export const nothing: Given = { chosen: [], own: "", isOwn: false };

/** One text per question, `2`, `1,3` or words; null while a question has none. */
export function answersOf(questions: readonly Question[], given: readonly Given[]): string[] | null {
  const answers = questions.map((_, at) => answerOf(given[at] ?? nothing));
  return answers.every((answer) => answer !== null) ? answers : null;
}

function answerOf({ chosen, own, isOwn }: Given): string | null {
  if (isOwn) return own.trim() === "" ? null : own.trim();
  return chosen.length === 0 ? null : chosen.map((at) => at + 1).join(",");
}

export function choose(given: Given, at: number, takesSeveral: boolean): Given {
  if (!takesSeveral) return { ...given, chosen: [at], isOwn: false };
  const chosen = given.chosen.includes(at)
    ? given.chosen.filter((each) => each !== at)
    : [...given.chosen, at].toSorted((a, b) => a - b);
  return { ...given, chosen, isOwn: false };
}
