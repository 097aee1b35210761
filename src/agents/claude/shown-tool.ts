// What a tool would do, for a person: one line, and all of it in lines.

import type { Asked, Question } from "../asked.js";
import { type Json, textOrNull } from "../record.js";

export function shownTool(
  tool: string,
  input: Json,
  questions: readonly Question[],
): Pick<Asked, "line" | "lines"> {
  const text = (name: string) => textOrNull(input[name]);
  if (questions.length > 0) return shownQuestions(questions);
  const [command, file, plan] = [text("command"), text("file_path") ?? text("notebook_path"), text("plan")];
  if (tool === "Bash" && command !== null)
    return { line: firstLine(command), lines: [...linesOf(command), ...aboutLines(text("description"))] };
  if (tool === "Edit" && file !== null) {
    const everywhere = input.replace_all === true ? ["(every occurrence)"] : [];
    const change = difference(text("old_string") ?? "", text("new_string") ?? "");
    return { line: `edit ${file}`, lines: [file, ...change, ...everywhere] };
  }
  const content = text("content");
  if (tool === "Write" && file !== null && content !== null)
    return { line: `write ${file}`, lines: [file, ...linesOf(content).map((line) => `+${line}`)] };
  if (tool === "ExitPlanMode" && plan !== null)
    return { line: `carry out its plan: ${firstLine(plan)}`, lines: linesOf(plan) };
  const members = Object.entries(input).map(([name, value]) => {
    const shown = typeof value === "string" ? value : JSON.stringify(value);
    return linesOf(`${name}: ${shown}`);
  });
  const first = members[0]?.[0] ?? "";
  return { line: [tool, first].filter(Boolean).join(" "), lines: members.flat() };
}

function shownQuestions(questions: readonly Question[]): Pick<Asked, "line" | "lines"> {
  const lines = questions.flatMap(({ text, options, takesSeveral }) => [
    takesSeveral ? `${text} (several are possible)` : text,
    ...options.map((label, at) => `  ${at + 1}. ${label}`),
  ]);
  return { line: questions.map(({ text }) => text).join(" "), lines };
}

/** Removed and added lines, with one line around them that stays. */
export function difference(old: string, now: string): string[] {
  const [before, after] = [linesOf(old), linesOf(now)];
  let start = 0;
  while (start < Math.min(before.length, after.length) && before[start] === after[start]) start++;
  let end = 0;
  const rest = Math.min(before.length, after.length) - start;
  while (end < rest && before.at(-1 - end) === after.at(-1 - end)) end++;
  const middle = (lines: string[]) => lines.slice(start, lines.length - end);
  const around = (at: number) => (before[at] === undefined ? [] : [` ${before[at]}`]);
  return [
    ...(start > 0 ? around(start - 1) : []),
    ...middle(before).map((line) => `-${line}`),
    ...middle(after).map((line) => `+${line}`),
    ...(end > 0 ? around(before.length - end) : []),
  ];
}

function aboutLines(description: string | null): string[] {
  return description === null || description === "" ? [] : [`# ${firstLine(description)}`];
}

function firstLine(text: string): string {
  const [first = "", ...more] = linesOf(text.trim());
  return more.length === 0 ? first : `${first} …`;
}

/** A final line break ends the last line. */
function linesOf(text: string): string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
