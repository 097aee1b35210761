// What an agent's client asks a person, and how it takes an answer.

import type { SessionId } from "../names/gates.js";

/** A request of a client, as its hook or its conversation has it. */
export interface Asked {
  tool: string;
  /** What would happen, in one line: the command, the file, the question. */
  line: string;
  /** The same in full. */
  lines: readonly string[];
  /** Empty if it only wants a yes or a no. */
  questions: readonly Question[];
  /** What "always" would allow from then on, one sentence per rule. */
  rules: readonly string[];
  /** The client's id of the sub-agent that asks; null for the agent itself. */
  subAgent: string | null;
  session: SessionId | null;
  /** Whether its text has no character that could hide or reorder what a person reads. */
  isPlain: boolean;
}

export interface Question {
  text: string;
  options: readonly string[];
  takesSeveral: boolean;
}

export type Decision =
  | { kind: "allow" }
  /** `rule` is a place in `rules`. */
  | { kind: "always"; rule: number }
  | { kind: "deny"; reason: string }
  /** One per question: labels of options, or words of the person's own. */
  | { kind: "answers"; answers: readonly string[] };

export interface RequestForms {
  /** From what the client gave its hook; null if that is no request. */
  read(input: Readonly<Record<string, unknown>>): Asked | null;
  /** For the hook to print. */
  decisionText(input: Readonly<Record<string, unknown>>, decision: Decision): string;
  /** The file in which the client records the request's end, beside the files of its session. */
  recordFile(transcript: string, asked: Pick<Asked, "subAgent">): string;
  /**
   * The uses of the tool in the lines that the request may be about, by their ids. An agent can ask for the same thing
   * twice at once, and then nothing tells the two apart.
   */
  fatesIn(
    lines: string,
    input: Readonly<Record<string, unknown>>,
    askedAtMs: number,
  ): ReadonlyMap<string, RequestFate>;
  /** The tools that the lines show as asked for and not ended. */
  pendingIn(lines: string): readonly Asked[];
}

/**
 * `open`: it is recorded, and nothing ended it. `allowed`, `denied`: the hook's answer is recorded. `ended`: it ended
 * without the hook.
 */
export type RequestFate = "open" | "allowed" | "denied" | "ended";
