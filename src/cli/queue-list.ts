import { parseUtc } from "../base/utc.js";
import { rowAddress } from "../fleet/find-pane.js";
import type { Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import { limits } from "../limits.js";
import { type PaneAddress, paneAddress } from "../names/gates.js";
import { isExpired, secondsOf } from "../stores/queue-rows.js";
import type { Message } from "../stores/queues.js";
import type { Receipt } from "../stores/receipts.js";
import type { AwaitedAgent } from "./awaited.js";
import type { Command } from "./command.js";
import { type Output, shown } from "./output.js";

export const queueList: Command = {
  words: "queue list",
  about: "what waits to be said to whom, and what nobody knows of whether it arrived",
  args: [{ name: "pane", about: "only this one", meaning: "pane", isOptional: true }],
  examples: ["hivemind queue list", "hivemind queue list web4team:0.1 --json"],
  notes:
    "What is uncertain was typed and is never typed again; `hivemind queue clear PANE` takes it off the list.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const { waitingAt } = await import("../stores/queue-homes.js");
    const { lastSteps } = await import("../stores/receipts.js");
    const { homesNow } = await import("../fleet/homes.js");
    const { storedRows } = await import("../fleet/moves.js");
    const { movesFollowed } = await import("../fleet/shifts.js");
    const { awaitedAgents } = await import("./awaited.js");
    const typed = input.arg("pane");
    const seen = await hive.panes();
    const rows = storedRows(hive.stores);
    const waiting = waitingAt(hive.stores, homesNow(seen, rows), movesFollowed(seen.shifts));
    const panes = typed === undefined ? [...waiting.forPanes.keys()].sort() : [addressed(hive, seen, typed)];
    const now = Date.now();
    const steps = lastSteps(hive.stores.receipts.read().rows);
    const rowsOf = (messages: readonly Message[] = []) =>
      messages.map((each) => row(each, steps.get(each.id), now));
    const queues = panes.map((pane) => ({ pane, messages: rowsOf(waiting.forPanes.get(pane)) }));
    const awaited = [...awaitedAgents(seen, rows)]
      .map(([pane, agent]) => ({ pane, ...agent, messages: rowsOf(waiting.forAwaited.get(pane)) }))
      .filter(({ pane, messages }) => messages.length > 0 && panes.includes(pane));
    const uncertain = uncertainIn(steps.values(), now).filter(
      ({ pane }) => typed === undefined || panes.includes(pane),
    );
    if (input.flag("json")) cli.out.json({ queues, awaited, uncertain });
    else show({ queues, awaited, uncertain }, cli.out);
    return undefined;
  },
};

type Row = ReturnType<typeof row>;
type Uncertain = ReturnType<typeof uncertainIn>[number];

function row({ id, stamp, intent, text }: Message, receipt: Receipt | undefined, nowMs: number) {
  const nowSeconds = Math.floor(nowMs / 1000);
  return {
    id,
    epoch: stamp,
    intent,
    text,
    ageSeconds: nowSeconds - secondsOf(stamp),
    expired: isExpired(stamp, nowSeconds),
    step: receipt?.step ?? "queued",
  };
}

/** Of the last day: what is older has been looked at, or never will be. */
export function uncertainIn(receipts: Iterable<Receipt>, nowMs: number) {
  return [...receipts]
    .filter(({ step }) => step === "uncertain")
    .map(({ id, pane, at, detail }) => ({ id, pane, at, detail, ageSeconds: ageOf(at, nowMs) }))
    .filter(({ ageSeconds }) => ageSeconds * 1000 <= limits.uncertainShownMs);
}

function ageOf(at: string, nowMs: number): number {
  return Math.floor((nowMs - (parseUtc(at) ?? 0)) / 1000);
}

interface Listed {
  queues: readonly Queued[];
  awaited: readonly (Queued & AwaitedAgent)[];
  uncertain: readonly Uncertain[];
}

interface Queued {
  pane: PaneAddress;
  messages: readonly Row[];
}

function show({ queues, awaited, uncertain }: Listed, out: Output): void {
  const filled = queues.filter(({ messages }) => messages.length > 0);
  if (filled.length + awaited.length === 0) out.print("Nothing is queued.");
  for (const { pane, messages } of filled) {
    out.print(out.colours.bold(pane));
    showRows(messages, out);
  }
  for (const { pane, role, wayBack, messages } of awaited) {
    out.print(`${out.colours.bold(`${pane} ${role}`)}: waits for it to be brought back`);
    showRows(messages, out);
    out.print(`  ${wayBack}`);
  }
  if (uncertain.length > 0) out.print(out.colours.bold("Uncertain: typed, never confirmed"));
  for (const { pane, ageSeconds, detail } of uncertain)
    out.print(`  ${pane}  ${shown(detail)}  ${out.colours.dim(`(${Math.max(0, ageSeconds)} s ago)`)}`);
}

function showRows(messages: readonly Row[], out: Output): void {
  for (const [at, { text, intent, ageSeconds, expired, step }] of messages.entries()) {
    const facts = [
      `${Math.max(0, ageSeconds)} s ago`,
      intent === "inform" ? "" : intent,
      step === "queued" ? "" : step,
      expired ? "expired" : "",
    ];
    out.print(`  ${at + 1}. ${shown(text)}  ${out.colours.dim(`(${facts.filter(Boolean).join(", ")})`)}`);
  }
}

/** Rows outlive their pane, so an address is taken as it is; an id or a role exists only while its pane does. */
function addressed(hive: Hive, seen: Panes, typed: string): PaneAddress {
  return typed.includes(":") ? paneAddress(typed) : rowAddress(hive.paneNamed(seen, typed), hive.tmux.server);
}
