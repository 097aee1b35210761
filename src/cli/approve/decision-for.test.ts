import { expect, test } from "vitest";
import type { Asked } from "../../agents/asked.js";
import type { Wish } from "./answer.js";
import { decisionFor } from "./decision-for.js";

const permission: Asked = {
  ...{ tool: "Bash", line: "make", lines: ["make"], questions: [], rules: ["rule one"], subAgent: null },
  ...{ session: null, isPlain: true },
};
const colour = { text: "Which colour?", options: ["Red", "Blue"], takesSeveral: false };
const sizes = { text: "Which sizes?", options: ["S", "M", "L"], takesSeveral: true };
const decide = (asked: Asked, wish: Wish) => decisionFor({ id: "req-aaaaaaaa", who: "dev", asked }, wish);
const approve: Wish = { kind: "approve", isAlways: false, rule: null };
const always = (rule: number | null): Wish => ({ kind: "approve", isAlways: true, rule });
const answer = (...words: string[]): Wish => ({ kind: "answer", words });
const asking = (...questions: Asked["questions"]): Asked => ({ ...permission, questions });

test.each<[Asked, Wish, object]>([
  [permission, approve, { decision: { kind: "allow" }, rule: null }],
  [permission, always(null), { decision: { kind: "always", rule: 0 }, rule: "rule one" }],
  [{ ...permission, rules: ["a", "b"] }, always(1), { decision: { kind: "always", rule: 1 }, rule: "b" }],
  [permission, { kind: "reject", reason: "no net" }, { decision: { kind: "deny", reason: "no net" } }],
  [asking(colour), answer("2"), { decision: { kind: "answers", answers: ["Blue"] } }],
  [
    asking(colour),
    answer("a", "darker", "one"),
    { decision: { kind: "answers", answers: ["a darker one"] } },
  ],
  [asking(colour, sizes), answer("1", "1,3"), { decision: { kind: "answers", answers: ["Red", "S, L"] } }],
  [asking(colour, sizes), answer("green", "2"), { decision: { kind: "answers", answers: ["green", "M"] } }],
  [asking(colour), { kind: "reject", reason: null }, { decision: { kind: "deny" } }],
])("of %j, %j is decided", (asked, wish, expected) => expect(decide(asked, wish)).toMatchObject(expected));

test.each<[Asked, Wish, RegExp]>([
  [asking(colour), approve, /asks a question/],
  [permission, answer("1"), /wants a yes or a no/],
  [{ ...permission, rules: [] }, always(null), /suggests no rule/],
  [{ ...permission, rules: ["a", "b"] }, always(null), /suggests 2 rules: 1\. a; 2\. b/],
  [permission, always(4), /no rule 5/],
  [asking(colour), answer("3"), /no option 3/],
  [asking(colour), answer("1,2"), /takes one answer/],
  [asking(colour), answer(" "), /no answer/],
  [asking(colour, sizes), answer("1"), /2 questions, and you gave 1/],
])("of %j, %j is refused", (asked, wish, why) => expect(() => decide(asked, wish)).toThrow(why));
