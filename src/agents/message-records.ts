// What the records of a conversation show about a message.

/** How a message is found among the records of a conversation. */
export interface MessageKey {
  /** Of the text: receipts outlive the text. */
  digest: string;
  /** For a letter: its message's id, and its sender's name. */
  id?: string;
  from?: string;
}

/**
 * `dropped`: the client refused a letter. `held`: the client asks a person whether to take it. `enqueued`: the client
 * has it, and its agent takes it later. `leaving`: it may have left the client's queue, and no record shows yet that
 * the agent took it.
 */
export type Proof = "nothing" | "dropped" | "held" | "enqueued" | "leaving" | "taken" | "answered";

/** What lines of a conversation show about one message. */
export interface MessageRecords {
  digestOf(text: string): string;
  proofIn(lines: string, key: MessageKey): Proof;
  /** The turn that the message began. Null if the lines do not show that the agent took it. */
  turnIn(lines: string, key: MessageKey): MessageTurn | null;
}

export interface MessageTurn {
  /** `taken`: no answer yet; `begun`: the agent said something, and more may come. */
  end: "taken" | "begun" | "answered" | "failed" | "interrupted";
  words: string;
  /** The client's error text; empty if the turn did not fail. */
  failure: string;
}
