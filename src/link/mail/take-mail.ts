// Takes a message of another host into the queue of its agent, once.
//
// [ML1] The message's own id is in the receipt `queued`, which is written before the message enters a queue. A message
//       that comes again is found there. A receipt whose message never entered its queue is of a killed process: the
//       message comes in now.

import { HiveError } from "../../base/errors.js";
import { findPaneOrAgent, type PaneOrAgent } from "../../fleet/find-pane.js";
import type { Panes } from "../../fleet/panes.js";
import { knownAgent } from "../../fleet/roster/known-agent.js";
import { textRefusal, whyUnfit } from "../../messages/fit.js";
import { formatSpeaker, mailIn, type Speaker } from "../../messages/speaker.js";
import { doorFor } from "../../messages/which-door.js";
import type { MessageWorld } from "../../messages/world.js";
import type { MailId } from "../../names/mail-id.js";
import { checkText, type MessageId } from "../../stores/queue/queue-rows.js";
import { type Receipt, receipt } from "../../stores/receipts.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";

export interface FarLetter {
  mail: MailId;
  /** A role, a pane or `@agent-id` of this host. */
  to: string;
  text: string;
  speaker: Speaker;
}

export interface TakenMail {
  id: MessageId;
  agent: AgentRow;
  /** False for a message that came again. */
  isNew: boolean;
}

/** Throws a HiveError for a target that does not exist, and for a text that it cannot get. */
export async function takeMail(world: MessageWorld, letter: FarLetter): Promise<TakenMail> {
  const { text, speaker, to } = letter;
  checkText(text);
  const panes = await world.panes();
  const found = findPaneOrAgent(panes, to, { own: null });
  refuseUnfit(found, speaker, text);
  const agent = await agentOf(world, panes, found);
  return { agent, ...(await enqueueOnce(world, agent, letter)) };
}

/** The message of this host that another host's message became; null if it never entered a queue. */
export function messageOfMail(
  { stores }: Pick<MessageWorld, "stores">,
  mail: MailId,
  receipts: readonly Receipt[] = stores.receipts.read().rows,
): MessageId | null {
  const own = receipts.filter((each) => each.step === "queued" && mailIn([each]) === mail);
  const isBegun = (id: MessageId) => receipts.some((each) => each.id === id && each.step !== "queued");
  return own.find(({ id }) => isBegun(id) || stores.queues.ids().includes(id))?.id ?? null;
}

async function enqueueOnce(
  { stores }: Pick<MessageWorld, "stores">,
  { id: agent, address }: AgentRow,
  { mail, text, speaker }: FarLetter,
): Promise<{ id: MessageId; isNew: boolean }> {
  // The queues are locked from the look at the receipts to the message's place in its queue.
  const record = async (id: MessageId) => {
    const known = messageOfMail({ stores }, mail);
    if (known !== null) throw new IsHere(known);
    await stores.receipts.append([receipt(id, address, "queued", formatSpeaker(speaker, mail))]);
  };
  try {
    const { message } = await stores.queues.append(agent, "inform", text, record);
    return { id: message.id, isNew: true };
  } catch (error) {
    if (error instanceof IsHere) return { id: error.id, isNew: false };
    throw error;
  }
}

/** The message came before. */
class IsHere extends Error {
  constructor(readonly id: MessageId) {
    super("the message is here already");
  }
}

function refuseUnfit({ pane }: PaneOrAgent, speaker: Speaker, text: string): void {
  if (pane === null) return;
  const door = doorFor(speaker, { intent: "inform", text }, pane);
  if (typeof door !== "string") throw new HiveError(`refused: ${door.refused}`);
  const unfit = door === "keys" ? whyUnfit(pane, text) : textRefusal(text);
  if (unfit !== null) throw new HiveError(`refused: ${unfit}`);
}

async function agentOf(world: MessageWorld, panes: Panes, { pane, agent }: PaneOrAgent): Promise<AgentRow> {
  return pane === null ? agent : knownAgent(world, panes, pane);
}
