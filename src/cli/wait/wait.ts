import { HiveError, UsageError } from "../../base/errors.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import type { Awaited, Patience } from "../../messages/answered.js";
import type { PaneId } from "../../names/gates.js";
import type { Command } from "../command.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";

export const wait: Command = {
  words: "wait",
  about: "wait until an agent is idle, asks or has answered",
  args: [nameArgument],
  options: [
    {
      name: "until",
      value: "what",
      about: "idle (default), waiting (asks you something), or answered (the last message)",
      choices: ["idle", "waiting", "answered"],
    },
    { name: "timeout", value: "seconds", about: "give up after this long, with exit code 124" },
    teamOption,
  ],
  examples: ["hivemind wait tester", "hivemind wait tester --until waiting --timeout 600"],
  notes: "Exit code 1 if the agent ends first. An agent that runs short of context counts as idle.",
  hasJson: true,
  async run(cli, input) {
    const until = input.option("until") ?? "idle";
    if (!isUntil(until))
      throw new UsageError(`"${until}" is not something to wait for`, {
        hint: "--until idle, waiting or answered",
      });
    const sending = await import("../send/send-shared.js");
    const patience = { timeoutMs: sending.timeoutOf(input), interrupted: cli.untilInterrupted() };
    const { hive, pane } = await namedPane(cli, input);
    const { address } = pane;
    cli.out.progress(`waiting until ${address} is ${until}`);
    const awaited =
      until === "answered"
        ? await answered(hive, pane, patience)
        : await reached(hive, pane.id, until, patience);
    cli.out.progress(null);
    const problem = await sending.awaitedError(hive, awaited, pane);
    if (input.flag("json")) cli.out.json({ pane: address, paneId: pane.id, until, ...awaitedFacts(awaited) });
    if (problem !== null) throw problem;
    if (input.flag("json")) return;
    cli.out.print(until === "answered" ? `${address} has answered` : `${address} is ${until}`);
  },
};

type Until = "idle" | "waiting" | "answered";

function isUntil(text: string): text is Until {
  return ["idle", "waiting", "answered"].includes(text);
}

/** For JSON: reached, or what happened instead. */
function awaitedFacts(awaited: Awaited) {
  const outcome = awaited.outcome === "answered" ? "reached" : awaited.outcome;
  return { outcome, why: awaited.outcome === "ended" ? awaited.why : null };
}

async function answered(hive: Hive, { agent, address }: FleetPane, patience: Patience): Promise<Awaited> {
  const { awaitAnswer, lastTaken } = await import("../../messages/answered.js");
  const message = agent && lastTaken(hive.stores.receipts.read().rows, agent.id);
  if (message !== null) return awaitAnswer(hive, message, patience);
  throw new HiveError(`no message to ${address} is on record`, {
    hint: `hivemind wait ${address} --until idle`,
  });
}

async function reached(hive: Hive, pane: PaneId, until: Until, patience: Patience): Promise<Awaited> {
  const { awaiting } = await import("../../messages/answered.js");
  const { see } = await import("../../messages/see.js");
  const { doing, listens } = await import("../../messages/stance.js");
  return awaiting(patience, async () => {
    const seen = await see(hive, pane);
    if ("kind" in seen) return { outcome: "ended", why: seen.why };
    const reading = doing(seen);
    const isSo = until === "idle" ? listens(reading) : reading.activity === "waiting";
    return isSo ? { outcome: "answered" } : null;
  });
}
