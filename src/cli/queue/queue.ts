import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { ordinal } from "../../base/text/ordinal.js";
import type { Hive } from "../../hive/hive.js";
import type { Drained, DrainOptions } from "../../messages/drain.js";
import type { listQueues, QueuedRow } from "../../messages/list-queues.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, Role } from "../../names/gates.js";
import { isIntent } from "../../stores/queue/queue-rows.js";
import type { Receipt } from "../../stores/receipts.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { type Argument, type Cli, type Command, ifGiven } from "../command.js";
import { farRead, takingHosts } from "../far/also-far.js";
import { fleetOption } from "../far/fleet-option.js";
import { known, meantBy, nameOfAgent } from "../named-agent.js";
import { type Output, shown } from "../output.js";

const agentArgument: Argument = {
  name: "pane",
  about: "a role, team:window.pane, tmux's %id, or @agent",
  meaning: "pane",
};

const onlyArgument: Argument = {
  name: "pane",
  about: "only this agent: a role, a pane or @agent",
  meaning: "pane",
  isOptional: true,
};

export const queueAppend: Command = {
  words: "queue append",
  about: "queue a message for an agent",
  args: [agentArgument, { name: "text", about: "the message; - reads stdin", takesRest: true }],
  options: [{ name: "intent", value: "intent", about: "inform (default), or remote-control:KEY" }],
  examples: [
    "hivemind queue append web4team:0.1 run the tests",
    "git diff | hivemind queue append web4team:0.1 -",
    "hivemind queue append tester --intent remote-control:BTab switch to plan mode",
  ],
  notes:
    "`hivemind watch` or `hivemind queue drain` delivers the message when the agent is idle. An agent that is away gets\n" +
    "it when it is back. remote-control:KEY presses that one key instead (never Enter, Escape or a letter); the text\n" +
    "says why.",
  async run(cli, input) {
    const { keyOf, keyRefusal } = await import("../../messages/dialog/press-key.js");
    const { needOf } = await import("../../agents/all.js");
    const { enqueue, positionOf } = await import("../../messages/send.js");
    const { textRefusal } = await import("../../messages/fit.js");
    const { commandRefusal, speakerOf, withSender } = await import("../../messages/sender.js");
    const { senderOf } = await import("../../hive/sender-of.js");
    const { noteUndelivered, textOf } = await import("../send/send-shared.js");
    const intent = input.option("intent") ?? "inform";
    if (!isIntent(intent))
      throw new UsageError(`--intent takes inform or remote-control:KEY, not "${intent}"`, {
        hint: "hivemind queue append NAME --intent remote-control:BTab TEXT",
      });
    const key = keyOf(intent);
    const unfitKey = key === null ? null : keyRefusal(key);
    if (unfitKey !== null) throw new HiveError(`refused: ${unfitKey}`, { hint: "remote-control:BTab" });
    const typed = input.need("text");
    const hive = await cli.hive();
    const seen = await hive.panes();
    const meant = meantBy(hive, seen, input.need("pane"));
    if (meant.pane !== null) needOf(meant.pane.kind, key === null ? "message" : "decide");
    const sender = senderOf(hive, seen);
    if (key !== null && sender !== null && !sender.mayCommand)
      throw commandRefusal(sender, "a key is a command");
    const text = key === null ? withSender(await textOf(typed), sender) : await textOf(typed);
    const unfit = key === null ? textRefusal(text) : null;
    if (unfit !== null) throw new HiveError(`refused: ${unfit}`);
    const agent = await known(hive, seen, meant);
    const id = await enqueue(hive, agent, intent, text, speakerOf(sender));
    const position = positionOf(hive.stores.queues, agent.id, id);
    const place = position === null ? "" : ` (${ordinal(position)})`;
    cli.out.print(`queued for ${nameOfAgent(agent)}${place}`);
    await noteUndelivered(cli, hive, ["queued"]);
  },
};

export const queueList: Command = {
  words: "queue list",
  about: "queued messages per agent, and uncertain ones",
  args: [takingHosts(onlyArgument)],
  options: [
    { name: "receipts", about: "all messages that PANE got or sent lately, and what became of each" },
    fleetOption,
  ],
  examples: [
    "hivemind queue list",
    "hivemind queue list web4team:0.1 --json",
    "hivemind queue list tester --receipts",
    "hivemind queue list tester@server",
  ],
  notes:
    "The messages of an agent that is away wait until it is back. An uncertain message was sent without proof of\n" +
    "arrival. hivemind never sends it again; `hivemind queue clear NAME` removes it from this list.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, queueList, "pane");
    if (typeof input === "number") return input;
    const hive = await cli.hive();
    const { lastSteps } = await import("../../stores/receipts.js");
    const { listQueues } = await import("../../messages/list-queues.js");
    const seen = await hive.panes();
    const meant = ifGiven(input.arg("pane"), (name) => meantBy(hive, seen, name));
    if (input.flag("receipts")) {
      if (meant === undefined)
        throw new UsageError("--receipts needs PANE", { hint: "hivemind queue list NAME --receipts" });
      await (await import("./receipts.js")).listReceipts(cli, input, seen, meant);
      return undefined;
    }
    const steps = lastSteps(hive.stores.receipts.read().rows);
    const listed = listQueues(hive, seen, meant, steps);
    if (input.flag("json")) cli.out.json(listed);
    else {
      show(listed, cli.out);
      const { noteUndelivered } = await import("../send/send-shared.js");
      if (listed.queues.some(({ messages }) => messages.length > 0))
        await noteUndelivered(cli, hive, ["queued"]);
    }
    return undefined;
  },
};

type Listed = ReturnType<typeof listQueues>;

function show({ queues, uncertain, strangers }: Listed, out: Output): void {
  const filled = queues.filter(({ messages }) => messages.length > 0);
  if (filled.length + strangers.length === 0) out.print("Nothing is queued.");
  for (const { agent, pane, role, standing, messages } of filled) {
    const isPresent = standing === "present" && pane !== null;
    const name = role ?? (isPresent ? pane : `@${agent}`);
    const place = isPresent ? pane : standing;
    out.print(
      name === place ? out.colours.bold(name) : `${out.colours.bold(name)} ${out.colours.dim(`(${place})`)}`,
    );
    showRows(messages, out);
    if (standing === "away") out.print(`  bring it back: hivemind agent restart @${agent}`);
  }
  for (const { pane, path, messages, isTakenIn } of strangers) {
    const then = isTakenIn ? "hivemind queue drain delivers them" : "no agent is known at that address";
    out.print(`${pane}: ${counted(messages, "message")} in ${path}: ${then}`);
  }
  if (uncertain.length > 0) out.print(out.colours.bold("Uncertain: sent, without proof of arrival"));
  for (const { pane, agent, ageSeconds, detail } of uncertain) {
    const ago = out.colours.dim(`(${Math.max(0, ageSeconds)} s ago)`);
    out.print(`  ${pane ?? `@${agent}`}  ${shown(detail)}  ${ago}`);
  }
}

function showRows(messages: readonly QueuedRow[], out: Output): void {
  for (const [at, { text, intent, ageSeconds, expired, step }] of messages.entries()) {
    const facts = [
      `${Math.max(0, ageSeconds)} s ago`,
      intent === "inform" ? "" : intent,
      stepWords[step] ?? step,
      expired && step !== "enqueued" ? "expired" : "",
    ];
    out.print(`  ${at + 1}. ${shown(text)}  ${out.colours.dim(`(${facts.filter(Boolean).join(", ")})`)}`);
  }
}

/** Steps of a message that is still queued; any other is shown as it is. */
const stepWords: Partial<Record<Receipt["step"], string>> = {
  queued: "",
  returned: "",
  posting: "on its way into the inbox",
  enqueued: "in its inbox",
};

export const queueDrain: Command = {
  words: "queue drain",
  about: "deliver queued messages to every idle agent",
  args: [onlyArgument],
  examples: ["hivemind queue drain", "hivemind queue drain tester"],
  notes:
    "An agent that takes a message becomes busy, so most agents get one message per run. Exit codes: 4 messages still\n" +
    "wait; 5 they wait for a person who uses the pane; 1 a message was refused, or typed without proof of arrival.",
  hasJson: true,
  async run(cli, input) {
    const hive = await cli.hive();
    // Messages that other programs wrote into queue files are taken in first.
    const seen = await hive.change();
    await hive.writeNews(seen);
    const meant = ifGiven(input.arg("pane"), (typed) => meantBy(hive, seen, typed));
    const { agentsMeant } = await import("../../messages/list-queues.js");
    const agents = agentsMeant(hive.stores, seen, meant);
    const interrupted = cli.untilInterrupted();
    const done: Done[] = [];
    for (const agent of agents) {
      if (interrupted.aborted) break;
      done.push(await drainQueue(hive, agent, { interrupted }));
      if (!input.flag("json")) printDrained(cli, agent, done.at(-1)!);
    }
    if (input.flag("json")) cli.out.json({ queues: done });
    else if (agents.length === 0) cli.out.print("Nothing is queued.");
    return drainedExitCode(done);
  },
};

interface Done extends Drained {
  agent: AgentId;
  pane: PaneAddress | null;
  role: Role | null;
  left: number;
}

export async function drainQueue(hive: Hive, agent: AgentRow, options: DrainOptions): Promise<Done> {
  const { drainUnlessLocked } = await import("../../messages/drain.js");
  const { id, address: pane, role } = agent;
  const found = await drainUnlessLocked(hive, id, options);
  return { agent: id, pane, role, ...found, left: hive.stores.queues.read(id).messages.length };
}

export function printDrained({ out }: Cli, agent: AgentRow, { fates, stopped, left }: Done): void {
  const who = `${nameOfAgent(agent)} (${agent.team})`;
  const taken = fates.filter(({ step }) => step === "accepted").length;
  if (taken > 0) out.print(`${who}: delivered ${counted(taken, "message")}`);
  for (const { step, detail } of fates)
    if (step !== "accepted") out.print(`${who}: ${step}${detail ? ` (${shown(detail)})` : ""}`);
  if (left > 0) out.print(`${who}: ${counted(left, "message")} queued: ${shown(stopped?.why)}`);
  if (left === 0 && fates.length === 0) out.print(`${who}: nothing is queued`);
}

export function drainedExitCode(done: readonly Done[]): ExitCode {
  const isBad = done.some(({ fates }) =>
    fates.some(({ step }) => step === "uncertain" || step === "refused"),
  );
  if (isBad) return exitCodes.refused;
  const waiting = done.filter(({ left }) => left > 0);
  if (waiting.some(({ stopped }) => stopped?.kind === "held")) return exitCodes.held;
  return waiting.length > 0 ? exitCodes.queued : exitCodes.done;
}

export const queueClear: Command = {
  words: "queue clear",
  about: "remove all messages from an agent's queue",
  args: [agentArgument],
  examples: ["hivemind queue clear web4team:0.1"],
  notes:
    "hivemind keeps the messages in the queues' dead/ folder. It also removes the agent's uncertain, expired and refused\n" +
    "messages from `hivemind inbox`.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { lastSteps, receipt } = await import("../../stores/receipts.js");
    const { isOf } = await import("../../messages/list-queues.js");
    const { lostMessages } = await import("../../messages/lost-messages.js");
    const { takeBackHanded } = await import("../../messages/settle.js");
    const seen = await hive.change();
    const typed = input.need("pane");
    const { agent } = meantBy(hive, seen, typed);
    if (agent === null) {
      cli.out.print(`nothing is queued for ${typed}: no agent is known there`);
      return;
    }
    const { queues, receipts } = hive.stores;
    await takeBackHanded(hive, agent.id);
    const cleared = await queues.clear(agent.id);
    const lost = lostMessages(lastSteps(receipts.read().rows).values(), Date.now());
    const noted = [...cleared, ...lost.filter(isOf(agent))];
    await receipts.append(noted.map(({ id }) => receipt(id, agent.address, "cleared", "by hand")));
    cli.out.print(`cleared ${counted(cleared.length, "message")} of ${nameOfAgent(agent)}`);
  },
};
