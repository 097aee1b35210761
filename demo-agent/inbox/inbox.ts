// The inbox: takes the lines from the socket, and posts, drops or holds their messages.
//
// A client that asks its user for no permissions holds the messages of senders that do not say the same of
// themselves, and the other way round: its user decides about each. It holds nothing if its settings say
// `crossSessionInbound: "accept"`.

import { harmless } from "../../src/base/text/escape-terminal.js";
import type { SessionId } from "../../src/names/gates.js";
import { Gate } from "./gate.js";
import { type PeerMessage, readPeerMessage } from "./peer-message.js";
import { InboxSocket } from "./socket.js";

/** What the inbox needs from the program. */
export interface Owner {
  /** The conversation for which messages are taken at this moment. */
  conversationId(): SessionId;
  inform(content: string): void;
  post(messages: readonly PeerMessage[]): void;
  /** Asks the user about the first of the held messages, unless another question is open. */
  askAboutHeld(): void;
}

export class Inbox {
  private readonly gate = new Gate();
  private readonly held: PeerMessage[] = [];
  private socket: InboxSocket | null = null;

  constructor(
    private readonly owner: Owner,
    /** In a sender's words: whether it asks its user for permissions. */
    private readonly mode: "prompting" | "bypass",
    private readonly acceptsAll: boolean,
  ) {}

  /** The path of the socket; null if there is none. */
  async open(): Promise<string | null> {
    this.socket = await InboxSocket.open((lines) => this.take(lines));
    return this.socket?.path ?? null;
  }

  close(): void {
    this.socket?.close();
  }

  get firstHeld(): PeerMessage | null {
    return this.held[0] ?? null;
  }

  /** The user has decided about the first held message. */
  decide(isDelivered: boolean): void {
    const message = this.held.shift();
    if (!isDelivered || message === undefined) return;
    this.owner.inform("Released 1 held cross-session message to Claude's queue (you approved it).");
    this.owner.post([message]);
  }

  private take(lines: readonly string[]): void {
    const letIn = lines.flatMap((line) => {
      const message = readPeerMessage(line, this.owner.conversationId());
      if (message === null) return [];
      const verdict = this.gate.judge(message, Date.now());
      if (verdict.isLetIn) return [message];
      if (verdict.told !== null) this.owner.inform(verdict.told);
      return [];
    });
    const isHeld = ({ fromMode }: PeerMessage) =>
      !this.acceptsAll && (fromMode === "bypass") !== (this.mode === "bypass");
    for (const message of letIn.filter(isHeld)) this.hold(message);
    const free = letIn.filter((message) => !isHeld(message));
    if (free.length > 0) this.owner.post(free);
  }

  private hold(message: PeerMessage): void {
    this.held.push(message);
    const { sender, isWrapped, body, fromMode } = message;
    const who = `from an unidentified session${isWrapped ? ` (peer claims name: ${sender})` : ""}`;
    const why =
      fromMode === null
        ? "The sender did not attest its permission mode and this session bypasses prompts."
        : "The sending session's permission mode class doesn't match this session's.";
    const preview = harmless(body.split("\n")[0]!);
    this.owner.inform(
      `Held peer message — ${who}; preview: «${preview}» — not delivered to Claude (${this.held.length} held). ${why} Review it below, or set "crossSessionInbound" to "accept".`,
    );
    this.owner.askAboutHeld();
  }
}
