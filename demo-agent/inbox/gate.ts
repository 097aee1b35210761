// Which posted messages the client lets in: it drops repeats, and what one sender posts too fast.
//
// - A repeat is the same content as the sender's previous one, within half a minute.
// - A sender has thirty messages at once, and one more every two seconds.
// - Only the first drop of a sender is told, for each reason.

import type { PeerMessage } from "./peer-message.js";

const repeatMs = 30_000;
const atOnce = 30;
const msForOneMore = 2000;

interface Sender {
  last: string;
  lastMs: number;
  /** Messages it may still post, at `countedMs`. */
  left: number;
  countedMs: number;
  told: Set<string>;
}

/** `told` is the note about a drop; null if the client says nothing. */
export type Verdict = { isLetIn: true } | { isLetIn: false; told: string | null };

export class Gate {
  private readonly senders = new Map<string, Sender>();

  judge({ from, content, sender: name, isWrapped }: PeerMessage, nowMs: number): Verdict {
    const sender = this.senderOf(from, nowMs);
    const isRepeat = content === sender.last && nowMs - sender.lastMs < repeatMs;
    sender.left = Math.min(atOnce, sender.left + (nowMs - sender.countedMs) / msForOneMore);
    sender.countedMs = nowMs;
    const why = isRepeat ? repeated : sender.left < 1 ? tooFast : null;
    if (why !== null) {
      const isNew = !sender.told.has(why);
      sender.told.add(why);
      const who = isWrapped ? `@${name} (${from})` : from;
      return { isLetIn: false, told: isNew ? `Dropped a peer message from ${who}: ${why}` : null };
    }
    sender.left -= 1;
    sender.last = content;
    sender.lastMs = nowMs;
    return { isLetIn: true };
  }

  private senderOf(from: string, nowMs: number): Sender {
    const known = this.senders.get(from);
    if (known !== undefined) return known;
    const sender = { last: "", lastMs: 0, left: atOnce, countedMs: nowMs, told: new Set<string>() };
    this.senders.set(from, sender);
    return sender;
  }
}

const repeated = "identical to the previous message from this sender.";
const tooFast = "sender exceeded the peer message rate limit.";
