// Tries every door of a client: one message through each, as hivemind would send it, until its transcript shows the
// answer.

import { doorsOf } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { type Hive, openHive } from "../hive/hive.js";
import { awaitAnswer, type Patience } from "../messages/answered.js";
import { send } from "../messages/send.js";
import { type Speaker, somebody } from "../messages/speaker.js";
import { inboxOf } from "../messages/which-door.js";
import type { PaneId } from "../names/gates.js";
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
  const agent = agentOfKind(pane?.kind ?? "shell");
  for (const door of agent === null ? [] : doorsOf(agent)) {
    if (interrupted.aborted) break;
    onProgress(`sending it a message by ${door}`);
    const patience = { timeoutMs: Math.max(0, deadline - performance.now()), interrupted };
    const isMissing = door === "inbox" && inboxOf(pane!) === null;
    const fate = isMissing ? { isTaken: null, why: "" } : await trySending(hive, target, door, patience);
    tried.push({ door, ...fate });
  }
  return tried;
}

async function trySending(
  hive: Hive,
  pane: PaneId,
  door: TriedDoor["door"],
  patience: Patience,
): Promise<Omit<TriedDoor, "door">> {
  const { id, why } = await send(hive, pane, "a test of hivemind doctor", { speaker: speakers[door] });
  if (id === null) return { isTaken: false, why };
  const awaited = await awaitAnswer(hive, id, patience);
  if (awaited.outcome === "answered") return { isTaken: true, why: "" };
  return { isTaken: false, why: awaited.outcome === "ended" ? awaited.why : awaited.outcome };
}
