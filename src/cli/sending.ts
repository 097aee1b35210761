// What the commands that send have in common: whose word it is, and how an answer is told.

import { type ExitCode, exitCodes, HiveError, UsageError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import type { Awaited } from "../messages/answered.js";
import type { Sent } from "../messages/send.js";
import type { Sender } from "../messages/sender.js";
import type { PaneId } from "../names/gates.js";
import type { Input } from "./command.js";
import { shown } from "./output.js";

/** In milliseconds; null without the option. */
export function timeoutOf(input: Input): number | null {
  const typed = input.option("timeout");
  if (typed === undefined) return null;
  if (/^\d{1,7}(\.\d{1,3})?$/.test(typed)) return Number(typed) * 1000;
  throw new UsageError(`"${typed}" is no number of seconds`, { hint: "--timeout 60" });
}

/** The text as typed, or what stdin has for `-`. */
export async function textOf(typed: string): Promise<string> {
  if (typed !== "-") return typed;
  const { text } = await import("node:stream/consumers");
  return (await text(process.stdin)).replace(/\n$/, "");
}

/** The agent whose tool runs this; null for a person. */
export async function senderOf(hive: Hive, panes: Panes): Promise<Sender | null> {
  const { holdOf } = await import("../stores/holds.js");
  const { rolesIn } = await import("../fleet/resolve.js");
  const caller = hive.caller(panes);
  if (caller === null) return null;
  const { pane } = caller;
  if (pane === null) return { role: null, pane: null, mayCommand: false };
  const mayCommand = holdOf(hive.stores, pane.address, "COMMANDS") !== undefined;
  return { role: rolesIn(panes, hive.stores)(pane), pane: pane.address, mayCommand };
}

/** Only a person decides this. */
export function refuseAgents(hive: Hive, panes: Panes): void {
  if (hive.caller(panes) === null) return;
  throw new HiveError("refused: an agent runs this, and only a person may decide it", {
    hint: "type it in a shell of your own",
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

/** One line about what became of it. */
export function sentLine({ outcome, position, why }: Sent): string {
  const place = position === null ? "" : ` at position ${position}`;
  const because = why === "" || outcome === "delivered" ? "" : `: ${shown(why)}`;
  return `${outcome === "uncertain" ? "typed, but not confirmed" : outcome}${place}${because}`;
}

/** For programs. */
export function sentFacts({ outcome, id, position, why }: Sent) {
  return { outcome, id, position, why: why || null };
}

/** What went wrong, and what a person does about it; null when it was taken, or waits. */
export function sentError(sent: Sent, { address, dead }: FleetPane): HiveError | null {
  const { outcome, why } = sent;
  if (outcome === "uncertain") {
    return new HiveError(`typed into ${address}, but not confirmed: ${why}`, {
      hint: `it is not typed again; look: hivemind agent monitor ${address}`,
    });
  }
  if (outcome !== "refused") return null;
  const instead = dead ? comeback(address) : "see what runs: hivemind status";
  return new HiveError(`refused for ${address}: ${why}`, {
    hint: sent.isAsked
      ? `answer it first: hivemind approve ${address} (or reject, option), or there: hivemind go ${address}`
      : `nothing was sent; ${instead}`,
  });
}

/** What came instead of an answer; null when one came. */
export async function awaitedError(
  hive: Hive,
  awaited: Awaited,
  { id, address }: Pick<FleetPane, "id" | "address">,
): Promise<HiveError | null> {
  switch (awaited.outcome) {
    case "answered":
      return null;
    case "timeout":
      return new HiveError(`${address}: time is up`, { exitCode: exitCodes.timedOut });
    case "interrupted":
      return new HiveError(`${address}: no longer waited for`);
    case "ended":
      return new HiveError(`${address}: nothing more will come: ${awaited.why}`, {
        hint: (await isDead(hive, id)) ? comeback(address) : "see what runs: hivemind status",
      });
  }
}

async function isDead(hive: Hive, pane: PaneId): Promise<boolean> {
  return (await hive.panes()).panes.some(({ id, dead }) => id === pane && dead);
}

/** Of an agent that has ended. */
function comeback(address: string): string {
  return `bring it back: hivemind agent restart ${address}`;
}
