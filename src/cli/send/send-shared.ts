// What the commands that send share: who sends, and what became of the message.

import { type ExitCode, exitCodes, UsageError } from "../../base/errors.js";
import { ordinal } from "../../base/text/ordinal.js";
import type { Hive } from "../../hive/hive.js";
import type { Sent } from "../../messages/send.js";
import { type Sender, speakerOf } from "../../messages/sender.js";
import type { Speaker } from "../../messages/speaker.js";
import { isApart } from "../ask.js";
import type { Cli, Input } from "../command.js";
import { undelivered } from "../delivery.js";
import { shown } from "../output.js";
import { personIn } from "../person.js";

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
  if (isApart())
    throw new UsageError('"-" alone means stdin, and there is none here', { hint: "type the text" });
  const { text } = await import("node:stream/consumers");
  return (await text(process.stdin)).replace(/\n$/, "");
}

/** Who speaks in the message of this command. */
export function speakerFor(
  sender: Sender | null,
  { isNow, env }: { isNow: boolean; env: NodeJS.ProcessEnv },
): Speaker {
  return sender === null ? { kind: "person", name: personIn(env), isNow } : speakerOf(sender);
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
  return `${outcome === "uncertain" ? "sent, but not confirmed" : outcome}${place}`;
}

/** Reasons begin with "its agent", "it" or "its": here the agent has a name. */
function whyOf(why: string, who: string): string {
  const named = shown(why).replace(/^(?:its agent|it) (?=is |was |does |waits|works)/, `${who} `);
  return named === shown(why) ? `${who}: ${named}` : named;
}

/** Printed below a message that waits, if nobody will deliver it. */
export async function noteUndelivered({ out }: Cli, hive: Hive, outcomes: readonly Sent["outcome"][]) {
  if (!outcomes.includes("queued") && !outcomes.includes("held")) return;
  const note = await undelivered(hive);
  if (note !== null) out.note(note);
}

/** Printed below a person's message that waits, if its agent has an inbox. It stays queued: a second one would come too. */
export function nowHint({ outcome, mayGoNow, door }: Sent): string | null {
  const isWaiting = (outcome === "queued" || outcome === "held") && door === null;
  return isWaiting && mayGoNow
    ? "Next time, if it cannot wait: hivemind send --now hands it over at once, as a colleague's word"
    : null;
}
