// What waits for its turn: messages that the user typed and messages that others posted, in the order they came.
//
// Posted messages that follow each other are one turn. The user can take back what was typed, not what was posted.

import { type PeerMessage, shownRows } from "./inbox/peer-message.js";
import { spoken } from "./terminal/screen.js";

export type Prompt =
  | { kind: "typed"; text: string }
  | { kind: "posted"; messages: readonly [PeerMessage, ...PeerMessage[]] };

type Waiting = { kind: "typed"; text: string } | { kind: "posted"; message: PeerMessage };

/** Writes down what happens to the queue. */
export type QueueLog = (operation: "enqueue" | "dequeue" | "popAll", content?: string) => void;

export class Queue {
  private waiting: Waiting[] = [];

  constructor(private readonly log: QueueLog) {}

  type(text: string): void {
    this.waiting.push({ kind: "typed", text });
    this.log("enqueue", text);
  }

  post(message: PeerMessage): void {
    this.waiting.push({ kind: "posted", message });
    this.log("enqueue", message.content);
  }

  get typed(): string[] {
    return this.waiting.flatMap((each) => (each.kind === "typed" ? [each.text] : []));
  }

  get posted(): PeerMessage[] {
    return this.waiting.flatMap((each) => (each.kind === "posted" ? [each.message] : []));
  }

  next(): Prompt | null {
    const prompt = this.shifted();
    const taken = prompt === null ? [] : prompt.kind === "typed" ? [prompt] : prompt.messages;
    for (const _ of taken) this.log("dequeue");
    return prompt;
  }

  private shifted(): Prompt | null {
    const first = this.waiting.shift();
    if (first === undefined || first.kind === "typed") return first ?? null;
    const end = this.waiting.findIndex(({ kind }) => kind === "typed");
    const others = this.waiting.splice(0, end < 0 ? this.waiting.length : end);
    const rest = others.flatMap((each) => (each.kind === "posted" ? [each.message] : []));
    return { kind: "posted", messages: [first.message, ...rest] };
  }

  takeTyped(): string[] {
    const { typed } = this;
    this.waiting = this.waiting.filter(({ kind }) => kind !== "typed");
    if (typed.length > 0) this.log("popAll");
    return typed;
  }

  takePosted(): PeerMessage[] {
    const { posted } = this;
    this.waiting = this.waiting.filter(({ kind }) => kind !== "posted");
    return posted;
  }
}

/** As the screen shows what begins a turn. */
export function printedRows(prompt: Prompt): string[] {
  if (prompt.kind === "typed") return spoken(prompt.text);
  return prompt.messages.flatMap((message) => [...shownRows(message), ""]);
}
