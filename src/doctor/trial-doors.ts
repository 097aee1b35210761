// Tries every door of a client: one message through each, as hivemind would send it, until its transcript shows it.

import { setTimeout as delay } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import { type Hive, openHive } from "../hive/hive.js";
import { limits } from "../limits.js";
import { drain } from "../messages/drain.js";
import { send } from "../messages/send.js";
import { type Speaker, somebody } from "../messages/speaker.js";
import { inboxOf } from "../messages/which-door.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId } from "../names/gates.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import { historyOf } from "../stores/receipts.js";
import type { TriedDoor } from "./trial-verdict.js";

/** An agent's words take the inbox if there is one; a person's words are typed. */
const speakers: Record<TriedDoor["door"], Speaker> = {
  inbox: { kind: "agent", name: "doctor", agent: null },
  keys: somebody,
};

/** `env` is the one of the temporary home. The client in this pane must be idle. */
export async function tryDoors(
  env: Record<string, string>,
  target: PaneId,
  deadline: number,
  { interrupted, onProgress }: { interrupted: AbortSignal; onProgress: (line: string) => void },
): Promise<TriedDoor[]> {
  const hive = openHive({ env });
  const pane = (await hive.panes()).panes.find(({ id }) => id === target);
  const tried: TriedDoor[] = [];
  for (const door of agentOfKind(pane?.kind ?? "shell")?.doors ?? []) {
    if (interrupted.aborted) break;
    onProgress(`sending it a message by ${door}`);
    const isMissing = door === "inbox" && inboxOf(pane!) === null;
    const fate = isMissing ? { isTaken: null, why: "" } : await tryDoor(hive, target, door, deadline);
    tried.push({ door, ...fate });
  }
  return tried;
}

async function tryDoor(
  hive: Hive,
  pane: PaneId,
  door: TriedDoor["door"],
  deadline: number,
): Promise<Omit<TriedDoor, "door">> {
  const { id, why } = await send(hive, pane, "a test of hivemind doctor", { speaker: speakers[door] });
  if (id === null) return { isTaken: false, why };
  const agent = (await hive.panes()).panes.find((each) => each.id === pane)?.agent?.id;
  return agent === undefined ? { isTaken: false, why: "its pane is gone" } : end(hive, agent, id, deadline);
}

/** Delivers what is queued until the receipts show the end of this message, or the time is up. */
async function end(
  hive: Hive,
  agent: AgentId,
  id: MessageId,
  deadline: number,
): Promise<Omit<TriedDoor, "door">> {
  for (;;) {
    const last = historyOf(hive.stores.receipts.read().rows, id).at(-1);
    if (last?.step === "accepted" || last?.step === "answered") return { isTaken: true, why: "" };
    if (!hive.stores.queues.ids().includes(id)) return { isTaken: false, why: last?.detail ?? "" };
    if (performance.now() > deadline) return { isTaken: false, why: last?.detail || "the time is up" };
    await drain(hive, agent);
    await delay(limits.trialPollMs);
  }
}
