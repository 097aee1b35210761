// What the commands that send share: who sends, and what became of the message.

import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { ordinal } from "../../base/text/ordinal.js";
import type { FleetPane, Panes } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import type { Awaited } from "../../messages/answered.js";
import type { Sent } from "../../messages/send.js";
import { type Sender, speakerOf } from "../../messages/sender.js";
import type { Speaker } from "../../messages/speaker.js";
import type { PaneId } from "../../names/gates.js";
import type { Cli, Input } from "../command.js";
import { undelivered } from "../delivery.js";
import { shown } from "../output.js";

/** In milliseconds; null without the option. */
export function timeoutOf(input: Input): number | null {
  const typed = input.option("timeout");
  if (typed === undefined) return null;
  if (/^\d{1,7}(\.\d{1,3})?$/.test(typed)) return Number(typed) * 1000;
  throw new UsageError(`--timeout takes seconds, not "${typed}"`, { hint: "--timeout 60" });
}

/** The text as typed; for `-`, the text on stdin. */
export async function textOf(typed: string): Promise<string> {
  if (typed !== "-") return typed;
  const { text } = await import("node:stream/consumers");
  return (await text(process.stdin)).replace(/\n$/, "");
}

/** The agent whose tool runs this; null for a person. */
export async function senderOf(hive: Hive, panes: Panes): Promise<Sender | null> {
  const { holdOf } = await import("../../stores/holds.js");
  const caller = hive.caller(panes);
  if (caller === null) return null;
  const { pane } = caller;
  if (pane === null) return { agent: null, role: null, pane: null, mayCommand: false };
  const { agent, address } = pane;
  const mayCommand = agent !== null && holdOf(hive.stores, agent.id, "COMMANDS") !== undefined;
  return { agent: agent?.id ?? null, role: agent?.role ?? null, pane: address, mayCommand };
}

/** Who speaks in the message of this command. */
export function speakerFor(
  sender: Sender | null,
  { isNow, env }: { isNow: boolean; env: NodeJS.ProcessEnv },
): Speaker {
  return sender === null ? { kind: "person", name: personIn(env), isNow } : speakerOf(sender);
}

/** Only a person may decide this. */
export function refuseAgents(hive: Hive, panes: Panes): void {
  if (hive.caller(panes) === null) return;
  throw new HiveError("refused: only a person may decide this, and an agent runs it", {
    hint: "type it in your own shell",
  });
}

/** A name for the person at this terminal, as a row can hold it. */
export function personIn(env: NodeJS.ProcessEnv): string {
  return env.USER?.replace(/[^\w.-]/g, "_") || "somebody";
}

export const exitCodeOf: Record<Sent["outcome"], ExitCode> = {
  delivered: exitCodes.done,
  queued: exitCodes.queued,
  held: exitCodes.held,
  refused: exitCodes.refused,
  uncertain: exitCodes.refused,
};

/** The outcome for one agent: `architect is busy; queued (1st)`. */
export function sentLine(sent: Sent, who: string): string {
  const outcome = outcomeOf(sent);
  if (sent.outcome === "delivered")
    return sent.door === "inbox" ? `${outcome} to the inbox of ${who}` : `${outcome} to ${who}`;
  return sent.why === "" ? `${outcome} for ${who}` : `${whyOf(sent.why, who)}; ${outcome}`;
}

/** The same for a table, where the agent has a column of its own. */
export function sentCell(sent: Sent): string {
  const because = sent.why === "" || sent.outcome === "delivered" ? "" : `: ${shown(sent.why)}`;
  return `${outcomeOf(sent)}${because}`;
}

function outcomeOf({ outcome, position }: Sent): string {
  const place = position === null ? "" : ` (${ordinal(position)})`;
  return `${outcome === "uncertain" ? "typed, but not confirmed" : outcome}${place}`;
}

/** Reasons begin with "its agent", "it" or "its": here the agent has a name. */
function whyOf(why: string, who: string): string {
  const named = shown(why).replace(/^(?:its agent|it) (?=is |was |does |waits|works)/, `${who} `);
  return named === shown(why) ? `${who}: ${named}` : named;
}

/** Its role, else its address. */
export function agentName({ agent, address }: Pick<FleetPane, "agent" | "address">): string {
  return shown(agent?.role ?? address);
}

/** Printed below a message that waits, if nobody will deliver it. */
export async function noteUndelivered({ out }: Cli, { paths }: Hive, outcomes: readonly Sent["outcome"][]) {
  if (!outcomes.includes("queued") && !outcomes.includes("held")) return;
  const note = await undelivered(paths);
  if (note !== null) out.note(note);
}

/** For programs. */
export function sentFacts({ outcome, id, position, why, door }: Sent) {
  return { outcome, id, position, why: why || null, door };
}

/** Printed below a person's message that waits, if it could go now. */
export function nowHint({ outcome, mayGoNow, door }: Sent): string | null {
  const isWaiting = (outcome === "queued" || outcome === "held") && door === null;
  return isWaiting && mayGoNow ? "To hand it over now, as a colleague's word: hivemind send --now" : null;
}

/** An error with what to type next; null when the agent took the message or the message waits. */
export function sentError(sent: Sent, pane: FleetPane): HiveError | null {
  const { outcome, why } = sent;
  const { address, dead } = pane;
  const who = agentName(pane);
  if (outcome === "uncertain") {
    return new HiveError(`typed into ${who}, but not confirmed: ${why}`, {
      hint: `hivemind never types it again; look at the pane: hivemind agent monitor ${address}`,
    });
  }
  if (outcome !== "refused") return null;
  const now = sent.mayGoNow ? "; or hand it over as a colleague's word: hivemind send --now" : "";
  const instead = dead ? comeback(address) : "see what runs: hivemind status";
  return new HiveError(`refused for ${who}: ${why}`, {
    hint: sent.isAsked
      ? `answer it first: hivemind approve ${address} (or reject, option), or go there: hivemind go ${address}${now}`
      : `nothing was sent; ${instead}`,
  });
}

/** Why no answer came; null when one came. */
export async function awaitedError(
  hive: Hive,
  awaited: Awaited,
  pane: Pick<FleetPane, "id" | "address" | "agent">,
): Promise<HiveError | null> {
  const who = agentName(pane);
  switch (awaited.outcome) {
    case "answered":
      return null;
    case "timeout":
      return new HiveError(`${who}: time is up`, { exitCode: exitCodes.timedOut });
    case "interrupted":
      return new HiveError(`${who}: stopped waiting; the message stays delivered or queued`);
    case "ended":
      return new HiveError(`${who}: no answer will come: ${awaited.why}`, {
        hint: (await isDead(hive, pane.id)) ? comeback(pane.address) : "see what runs: hivemind status",
      });
  }
}

async function isDead(hive: Hive, pane: PaneId): Promise<boolean> {
  return (await hive.panes()).panes.some(({ id, dead }) => id === pane && dead);
}

/** The hint for an agent that has ended. */
function comeback(address: string): string {
  return `bring it back: hivemind agent restart ${address}`;
}
