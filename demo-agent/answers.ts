// The demo agent's answer to a message: deterministic, and controlled by words in brackets.
//
// The same message gets the same answer. [busy N] [hold] [ask] [ask COMMAND] [choose QUESTION | A | B] [crash] [error] [usage N]
// [limit] control the turn and are not part of the answer.

import { commandTool, questionTool, type Tool } from "./tool.js";

export interface Steering {
  busyMs: number;
  /** Hold the answer until SIGUSR2. */
  isHeld: boolean;
  /** What it asks its user; null if it asks nothing. */
  asks: Tool | null;
  crashes: boolean;
  /** Why the client answers in place of the model; null if the model answers. */
  failure: Failure | null;
  usageTokens: number | null;
}

export type Failure = "error" | "limit";

/** In the client's words. A limit that newer clients name by its length ends within two hours. */
export function failureWords(failure: Failure, isNewer: boolean, nowMs: number): string {
  if (failure === "error")
    return "API Error: 500 Internal server error. This is a server-side issue, usually temporary — try again in a moment.";
  return `You've hit your ${isNewer ? "5-hour" : "session"} limit · resets ${resetHour(nowMs)} (UTC)`;
}

/** `3pm`: the second full hour from now. */
export function resetHour(nowMs: number): string {
  const hour = (new Date(nowMs).getUTCHours() + 2) % 24;
  return `${hour % 12 === 0 ? 12 : hour % 12}${hour < 12 ? "am" : "pm"}`;
}

export function steeringOf(message: string): Steering {
  const busy = /\[busy (\d{1,9})\]/.exec(message);
  const usage = /\[usage (\d{1,9})\]/.exec(message);
  return {
    busyMs: busy ? Number(busy[1]) : 0,
    isHeld: message.includes("[hold]"),
    asks: askedIn(message),
    crashes: message.includes("[crash]"),
    failure: message.includes("[error]") ? "error" : message.includes("[limit]") ? "limit" : null,
    usageTokens: usage ? Number(usage[1]) : null,
  };
}

function askedIn(message: string): Tool | null {
  const [, choice] = /\[choose ([^\]]+)\]/.exec(message) ?? [];
  if (choice !== undefined) {
    const [text, ...options] = choice.split("|").map((part) => part.trim());
    return questionTool({ text: text!, options });
  }
  const ask = /\[ask(?: ([^\]]+))?\]/.exec(message);
  return ask && commandTool(ask[1] ?? "touch demo");
}

const answeredWords = 8;
const answeredChars = 80;

export function answerTo(message: string): string {
  const words = message
    .replace(/\[(?:busy \d+|usage \d+|hold|ask(?: [^\]]+)?|choose [^\]]+|crash|error|limit)\]/g, "")
    .split(/\s+/)
    .filter(Boolean);
  return `Heard: ${words.slice(0, answeredWords).join(" ").slice(0, answeredChars) || "nothing but brackets"}`;
}
