// What a person's words mean for a request. Pure.

import type { Decision, Question } from "../../agents/asked.js";
import { HiveError } from "../../base/errors.js";
import type { DecisionWord } from "../../events/event.js";
import type { FoundRequest } from "../../fleet/requests.js";
import type { Wish } from "./answer.js";

export interface Decided {
  decision: Decision;
  word: DecisionWord;
  /** The rule that "always" adds, in words. */
  rule: string | null;
}

export function decisionFor(
  { id, who, asked }: Pick<FoundRequest, "id" | "who" | "asked">,
  wish: Wish,
): Decided {
  const { questions, rules } = asked;
  const refuse = (why: string, hint: string) => new HiveError(why, { hint });
  if (wish.kind === "approve" && questions.length > 0)
    throw refuse(`${who} asks a question, not for a yes: ${asked.line}`, `hivemind answer ${id} 1`);
  if (wish.kind === "answer" && questions.length === 0)
    throw refuse(`${who} wants a yes or a no`, `hivemind approve ${id}, or reject`);
  switch (wish.kind) {
    case "approve":
      if (!wish.isAlways) return { decision: { kind: "allow" }, word: "approved", rule: null };
      return { ...always(rules, wish.rule, id), word: "always" };
    case "reject":
      return { decision: { kind: "deny", reason: wish.reason ?? plainNo }, word: "rejected", rule: null };
    case "answer":
      return {
        decision: { kind: "answers", answers: answersTo(questions, wish.words, id) },
        word: "answered",
        rule: null,
      };
    default:
      throw refuse(`${who} asks through its hook`, `hivemind approve ${id}`);
  }
}

/** The agent reads it as the result of its tool. */
const plainNo = "The user rejected this. Do not try it another way: say what you need it for, and wait.";

function always(
  rules: readonly string[],
  typed: number | null,
  id: string,
): Pick<Decided, "decision" | "rule"> {
  if (rules.length === 0)
    throw new HiveError(`the client suggests no rule for ${id}`, { hint: `once: hivemind approve ${id}` });
  const listed = rules.map((rule, at) => `${at + 1}. ${rule}`).join("; ");
  if (typed === null && rules.length > 1)
    throw new HiveError(`the client suggests ${rules.length} rules: ${listed}`, {
      hint: `say which: hivemind approve ${id} --always --rule 1`,
    });
  const place = typed ?? 0;
  const rule = rules[place];
  if (rule === undefined) throw new HiveError(`there is no rule ${place + 1}: ${listed}`);
  return { decision: { kind: "always", rule: place }, rule };
}

/** One word per question. With one question, all words are one answer. */
function answersTo(questions: readonly Question[], words: readonly string[], id: string): string[] {
  const given = questions.length === 1 ? [words.join(" ")] : words;
  if (given.length !== questions.length)
    throw new HiveError(`it asks ${questions.length} questions, and you gave ${given.length} answers`, {
      hint: `hivemind answer ${id} ${questions.map(() => "1").join(" ")}`,
    });
  return questions.map((question, at) => answerTo(question, given[at]!));
}

function answerTo({ text, options, takesSeveral }: Question, typed: string): string {
  if (typed.trim() === "") throw new HiveError(`no answer to: ${text}`);
  if (!/^[1-9]\d?(,[1-9]\d?)*$/.test(typed)) return typed;
  const numbers = typed.split(",").map(Number);
  const missing = numbers.find((number) => options[number - 1] === undefined);
  if (missing !== undefined) throw new HiveError(`"${text}" has no option ${missing}`);
  if (numbers.length > 1 && !takesSeveral) throw new HiveError(`"${text}" takes one answer`);
  return numbers.map((number) => options[number - 1]!).join(", ");
}
