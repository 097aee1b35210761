// The records of posted messages: taken as a turn of their own, or in the middle of another one.

import { type Draft, withStart } from "../command-records.js";
import {
  attachmentRecord,
  type Conversation,
  queueRecord,
  type TranscriptRecord,
  userRecord,
} from "../conversation.js";
import { type PeerMessage, toldMidTurn, toldToModel } from "./peer-message.js";

/** It begins a turn: a message of the user, marked as another one's. */
export function posted(message: PeerMessage): Draft {
  const facts = {
    isMeta: true,
    origin: message.origin,
    promptSource: "system",
    queueSkipSlashCommands: true,
    turnOrigin: "peer",
    queueSkipAttachments: true,
  };
  return (to, author) => userRecord(to, author, toldToModel(message), facts);
}

/** It is told to a turn that works with tools: out of the queue, and beside the tool's result. */
export function absorbed(message: PeerMessage): { removed(to: Conversation): TranscriptRecord; told: Draft } {
  const commandUuid = crypto.randomUUID();
  const deliveryId = crypto.randomUUID();
  const attachment = {
    type: "queued_command",
    prompt: message.content,
    source_uuid: commandUuid,
    delivery_id: deliveryId,
    commandMode: "prompt",
    origin: message.origin,
    timestamp: new Date().toISOString(),
    isMeta: true,
  };
  const rendered = { rendered: [{ content: toldMidTurn(message) }], renderedRole: "system" };
  const reason = { reason: "absorbed_mid_turn", commandUuid, deliveryId };
  return {
    removed: (to) => ({ ...queueRecord(to, "remove", message.content), ...reason }),
    told: withStart((to, author) => attachmentRecord(to, author, attachment, rendered)),
  };
}
