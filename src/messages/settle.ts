// What becomes of a message that was typed, by its sender or by whoever finds its open receipt.

import { setTimeout as rest } from "node:timers/promises";
import type { ShapedText } from "../agents/agent.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { holdOf } from "../stores/holds.js";
import type { Message } from "../stores/queues.js";
import type { Receipt } from "../stores/receipts.js";
import { pressedSince } from "../tmux/client.js";
import { type Entry, enter } from "./enter.js";
import { type Fate, leave } from "./fate.js";
import { formsFor } from "./fit.js";
import { type Left, leftIn, lostWords } from "./left-standing.js";
import { type Mark, parseMark, proofBehind } from "./proof.js";
import { see } from "./see.js";
import type { Stance } from "./stance.js";
import { excerptOf } from "./text.js";
import type { MessageWorld } from "./world.js";

export interface Patience {
  settleMs: number;
  interrupted: AbortSignal | undefined;
}

/** A message that still stands in the box of an agent that does not listen keeps its open receipt. */
export async function becomes(
  world: MessageWorld,
  pane: FleetPane,
  message: Message,
  entry: Entry,
): Promise<Fate | Stance> {
  switch (entry.outcome) {
    case "accepted":
      return leave(world, message, "accepted", `by the ${entry.by}`);
    case "withdrawn":
      return leave(world, message, "refused", entry.why);
    case "unconfirmed": {
      const left = entry.isEntered ? null : await leftNow(world, pane, message, Date.now());
      if (left !== null && left.kind !== "lost") return { kind: "working", why: entry.why };
      return leave(world, message, "uncertain", `${entry.why}: ${excerptOf(message.text)}`);
    }
  }
}

/** The operator who holds this pane. */
export function holderOf({ stores }: MessageWorld, { address }: Pick<FleetPane, "address">): string | null {
  return holdOf(stores, address, "HELD")?.by ?? null;
}

/** Its sender was killed while typing it, or gave up: what the client wrote down decides, then what stands in its box. */
export async function settle(
  world: MessageWorld,
  message: Message,
  typing: Receipt,
  pane: FleetPane | undefined,
  { settleMs, interrupted }: Patience,
): Promise<Fate | Stance> {
  const mark = parseMark(typing.detail);
  const typedAtMs = Date.parse(typing.at);
  // A clock that was set since tells nothing: then it is waited for in full.
  const end = performance.now() + settleMs - Math.max(0, Date.now() - typedAtMs);
  const lose = (why: string) => leave(world, message, "uncertain", `${why}: ${excerptOf(message.text)}`);
  let wasOurs = false;
  while (mark !== null) {
    if ((await proofBehind(mark)) !== "nothing")
      return leave(world, message, "accepted", "by the transcript");
    const isThere = pane !== undefined && pane.live?.sessionId === mark.session;
    const left = isThere ? await leftNow(world, pane, message, typedAtMs) : gone;
    // An Enter that is on its way makes the first look wrong.
    if (left.kind === "ours" && wasOurs) return finish(world, pane!, message, left.shaped, mark);
    wasOurs = left.kind === "ours";
    if (left.kind !== "ours" && performance.now() > end)
      return left.kind === "waits" ? left.stance : lose(left.why);
    if (interrupted?.aborted)
      return { kind: "working", why: "it was typed, and nothing shows yet what came of it" };
    await rest(limits.deliverRestMs);
  }
  return lose(lostWords);
}

const gone = { kind: "lost", why: lostWords } as const;

async function leftNow(
  world: MessageWorld,
  pane: FleetPane,
  { text }: Message,
  sinceMs: number,
): Promise<Left> {
  const seen = await see(world.tmux, () => world.panes(), pane.id);
  if ("kind" in seen) return { kind: "lost", why: seen.why };
  const isUntouched = !(await pressedSince(world.tmux, seen.pane.sessionName, sinceMs));
  return leftIn(seen, formsFor(seen.pane, text), { heldBy: holderOf(world, pane) }, { isUntouched });
}

/** Enters what stands in the box already. */
async function finish(
  world: MessageWorld,
  pane: FleetPane,
  message: Message,
  shaped: ShapedText,
  mark: Mark,
): Promise<Fate | Stance> {
  const look = () => world.panes();
  const before = { live: pane.live, mark };
  const entry = await enter({ tmux: world.tmux, look, pane: pane.id, shaped, before, say: {} });
  return becomes(world, pane, message, entry);
}
