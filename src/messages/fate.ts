// How a message ends: written down first, then taken out of its queue.

import type { MessageId } from "../stores/queue-rows.js";
import type { Message } from "../stores/queues.js";
import { type Receipt, type ReceiptStep, receipt } from "../stores/receipts.js";
import type { MessageWorld } from "./world.js";

export interface Fate {
  id: MessageId;
  step: Extract<ReceiptStep, "accepted" | "expired" | "uncertain" | "refused">;
  detail: string;
}

export async function leave(
  world: MessageWorld,
  { id }: Message,
  step: Fate["step"],
  detail = "",
): Promise<Fate> {
  await world.stores.receipts.append([receipt(id, step, detail)]);
  return takeOut(world, { id, step, detail });
}

/** Once its end is written down. */
export async function takeOut({ stores: { queues } }: MessageWorld, fate: Fate): Promise<Fate> {
  if (fate.step === "accepted") await queues.remove([fate.id]);
  else await queues.bury([fate.id]);
  return fate;
}

/** A message that is over, but whose row a killed drain left behind. */
export function endedAs({ step, detail }: Receipt): Pick<Fate, "step" | "detail"> | null {
  if (step === "queued" || step === "typing" || step === "moved") return null;
  if (step === "answered") return { step: "accepted", detail };
  return step === "cleared" ? { step: "refused", detail: "cleared" } : { step, detail };
}
