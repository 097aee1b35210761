import { HiveError, UsageError } from "../base/errors.js";
import type { Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import type { Awaited, Patience } from "../messages/answered.js";
import type { PaneAddress, PaneId } from "../names/gates.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const wait: Command = {
  words: "wait",
  about: "wait until an agent is idle, asks something, or has answered",
  args: [nameArgument],
  options: [
    {
      name: "until",
      value: "what",
      about: "idle (without it), waiting, or answered: the last message it took",
      choices: ["idle", "waiting", "answered"],
    },
    { name: "timeout", value: "seconds", about: "how long at most; exit 124 when time is up" },
    teamOption,
  ],
  examples: ["hivemind wait tester", "hivemind wait tester --until waiting --timeout 600"],
  notes: "Exit 1 when the agent ends meanwhile. Short of context counts as idle.",
  hasJson: true,
  async run(cli, input) {
    const until = input.option("until") ?? "idle";
    if (!isUntil(until))
      throw new UsageError(`"${until}" is nothing to wait for`, {
        hint: "--until idle, waiting or answered",
      });
    const sending = await import("./sending.js");
    const patience = { timeoutMs: sending.timeoutOf(input), interrupted: cli.untilInterrupted() };
    const hive = await cli.hive();
    const { placedIn } = await import("./placed.js");
    const panes = await hive.panes();
    const pane = agentNamed(hive, panes, input);
    const address = await placedIn(hive, panes, pane);
    cli.out.progress(`waiting until ${address} is ${until}`);
    const awaited =
      until === "answered"
        ? await answered(hive, panes, { id: pane.id, address }, patience)
        : await stood(hive, pane.id, until, patience);
    cli.out.progress(null);
    const problem = await sending.awaitedError(hive, awaited, { id: pane.id, address });
    if (input.flag("json")) cli.out.json({ pane: address, paneId: pane.id, until, ...awaitedFacts(awaited) });
    if (problem !== null) throw problem;
    if (input.flag("json")) return undefined;
    cli.out.print(until === "answered" ? `${address} has answered` : `${address} is ${until}`);
    return undefined;
  },
};

type Until = "idle" | "waiting" | "answered";

function isUntil(text: string): text is Until {
  return ["idle", "waiting", "answered"].includes(text);
}

/** For programs: what was waited for came, or what came instead. */
function awaitedFacts(awaited: Awaited) {
  const outcome = awaited.outcome === "answered" ? "reached" : awaited.outcome;
  return { outcome, why: awaited.outcome === "ended" ? awaited.why : null };
}

async function answered(
  hive: Hive,
  seen: Panes,
  pane: { id: PaneId; address: PaneAddress },
  patience: Patience,
): Promise<Awaited> {
  const { awaitAnswer, lastTaken } = await import("../messages/answered.js");
  const message = lastTaken(hive.stores.receipts.read().rows, seen, pane);
  if (message !== null) return awaitAnswer(hive, message, patience);
  const { address } = pane;
  throw new HiveError(`${address} took no message that anybody knows of`, {
    hint: `hivemind wait ${address} --until idle`,
  });
}

async function stood(hive: Hive, pane: PaneId, until: Until, patience: Patience): Promise<Awaited> {
  const { awaiting } = await import("../messages/answered.js");
  const { see } = await import("../messages/see.js");
  const { doing, listens } = await import("../messages/stance.js");
  return awaiting(patience, async () => {
    const seen = await see(hive.tmux, () => hive.panes(), pane);
    if ("kind" in seen) return { outcome: "ended", why: seen.why };
    const reading = doing(seen);
    const isSo = until === "idle" ? listens(reading) : reading.activity === "waiting";
    return isSo ? { outcome: "answered" } : null;
  });
}
