import { type ExitCode, exitCodes } from "../base/errors.js";
import type { Hive } from "../hive.js";
import type { Drained, DrainOptions } from "../messages/drain.js";
import type { PaneAddress } from "../names/gates.js";
import type { AwaitedAgent } from "./awaited.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const queueDrain: Command = {
  words: "queue drain",
  about: "say what waits, to every agent that listens",
  args: [{ name: "pane", about: "only this one: a pane or a role", meaning: "pane", isOptional: true }],
  examples: ["hivemind queue drain", "hivemind queue drain tester"],
  notes:
    "An agent that took a message works on it, so mostly one is said to each. Exit 4: something still waits; 5: for a\n" +
    "person who has a hand in that pane; 1: something was refused, or typed without a sign that it arrived.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    const { placed } = await import("./placed.js");
    const typed = input.arg("pane");
    const panes = typed === undefined ? await waiting(hive) : [await placed(hive, typed)];
    const interrupted = cli.untilInterrupted();
    const done: Done[] = [];
    for (const pane of panes) {
      if (interrupted.aborted) break;
      done.push(await drainQueue(hive, pane, { interrupted }));
      if (!input.flag("json")) printDrained(cli, done.at(-1)!);
    }
    if (input.flag("json")) cli.out.json({ queues: done });
    else if (panes.length === 0) cli.out.print("Nothing is queued.");
    return drainedExitCode(done);
  },
};

interface Done extends Drained {
  pane: PaneAddress;
  left: number;
  /** For whom something waits there, to be brought back. */
  awaited: (AwaitedAgent & { left: number }) | null;
}

export async function drainQueue(hive: Hive, pane: PaneAddress, options: DrainOptions): Promise<Done> {
  const { drainUnlessLocked } = await import("../messages/drain.js");
  const { waitingHere } = await import("../messages/waiting-here.js");
  const { awaitedAgents } = await import("./awaited.js");
  const { storedRows } = await import("../fleet/moves.js");
  const found = await drainUnlessLocked(hive, pane, options);
  if (hive.stores.queues.read(pane).messages.length === 0) return { pane, ...found, left: 0, awaited: null };
  const seen = await hive.panes();
  const { forPane, forAwaited } = waitingHere(hive.stores, seen, pane);
  const agent = awaitedAgents(seen, storedRows(hive.stores)).get(pane);
  const isAny = agent !== undefined && forAwaited.length > 0;
  const awaited = isAny ? { ...agent, left: forAwaited.length } : null;
  return { pane, ...found, left: forPane.length, awaited };
}

/** The queues in which something waits, once they stand where their panes are. */
async function waiting(hive: Hive): Promise<PaneAddress[]> {
  const { followed, teamsTouched } = await import("./placed.js");
  const { rowWriter } = await import("../stores/row-writer.js");
  const { homesNow } = await import("../fleet/homes.js");
  const { storedRows } = await import("../fleet/moves.js");
  const seen = await hive.panes();
  const changed = [...new Set([...teamsTouched(seen), ...hive.newsIn(seen)])];
  const now = await followed(
    hive,
    seen,
    changed.filter((team) => !seen.shifts.held.has(team)),
  );
  await rowWriter(hive.stores).bringHome(homesNow(now, storedRows(hive.stores)));
  const { queues } = hive.stores;
  return queues.panes().filter((pane) => queues.read(pane).messages.length > 0);
}

export function printDrained({ out }: Cli, { pane, fates, stopped, left, awaited }: Done): void {
  const waits = (count: number) => `${pane}: ${count} ${count === 1 ? "waits" : "wait"}`;
  for (const fate of fates) out.print(`${pane}: ${fate.id} ${fateWords(fate)}`);
  if (left > 0) out.print(`${waits(left)}: ${shown(stopped?.why)}`);
  if (awaited !== null)
    out.print(`${waits(awaited.left)} for ${awaited.role} to be brought back: ${awaited.wayBack}`);
  if (left === 0 && awaited === null && fates.length === 0) out.print(`${pane}: nothing is queued`);
}

/** In the words of `hivemind send`. */
function fateWords({ step, detail }: Done["fates"][number]): string {
  if (step === "accepted") return "delivered";
  return detail ? `${step} (${shown(detail)})` : step;
}

export function drainedExitCode(done: readonly Done[]): ExitCode {
  const isBad = done.some(({ fates }) =>
    fates.some(({ step }) => step === "uncertain" || step === "refused"),
  );
  if (isBad) return exitCodes.refused;
  const waiting = done.filter(({ left, awaited }) => left > 0 || awaited !== null);
  if (waiting.some(({ stopped }) => stopped?.kind === "held")) return exitCodes.held;
  return waiting.length > 0 ? exitCodes.queued : exitCodes.done;
}
