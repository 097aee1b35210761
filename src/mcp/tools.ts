// The tools that an agent gets, as data and one function each.
//
// [MCP2] A tool reads, sends words or waits. None answers a dialog, allows, holds or changes the setup of a client.
// [MCP3] A tool speaks for its caller only: no argument names a sender.

import { HiveError } from "../base/errors.js";
import { windowsOf } from "../fleet/activity/context.js";
import { contextRows } from "../fleet/activity/context-rows.js";
import { historyNamed, stayRow } from "../fleet/lineage/history-named.js";
import { graphOf, hasSession, idsIn, lineageTrees } from "../fleet/lineage/lineage-graph.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { sessionNamed } from "../fleet/sessions/session-find.js";
import { listSessions } from "../fleet/sessions/session-list.js";
import { teamNamed } from "../fleet/view.js";
import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import { awaitAnswer } from "../messages/answered.js";
import { type Awaitable, awaitAgent, awaitables, awaitedFacts } from "../messages/await-agent.js";
import { delegateError, delegateFacts, delegateTask } from "../messages/delegate.js";
import { listQueues } from "../messages/list-queues.js";
import { lastSentTo, ownMessages } from "../messages/own-messages.js";
import { send } from "../messages/send.js";
import { type Sender, speakerOf, withSender } from "../messages/sender.js";
import { awaitedError, sentError, sentFacts } from "../messages/sent-error.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import { lastSteps } from "../stores/receipts.js";
import type { Given, ToolArgument } from "./arguments.js";
import { callerIn, refOf, whoCalls } from "./caller.js";
import { agentsOfFleet, askFar, nameIn, ownNameIn, sendFar } from "./far.js";

export interface Tool {
  name: string;
  about: string;
  /** It changes nothing. */
  isReading: boolean;
  args: readonly ToolArgument[];
  /** The result for the caller. An error is a refusal, in words. */
  run(call: ToolCall): Promise<object>;
}

export interface ToolCall {
  hive: Hive;
  env: NodeJS.ProcessEnv;
  given: Given;
  /** The caller does not wait any more. */
  interrupted: AbortSignal;
}

const agentArgument: ToolArgument = {
  name: "agent",
  about: "the other agent: its role, team:window.pane, tmux %id or @agent-id",
};

const farArgument: ToolArgument = {
  ...agentArgument,
  about: `${agentArgument.about}; with @HOST behind it, an agent of another host of the fleet`,
};

const subjectArgument: ToolArgument = {
  name: "of",
  about:
    "an agent (role or @id), a pane (team:window.pane or %id) or a session id (default: yourself); with @HOST behind it, on another host of the fleet",
  isOptional: true,
};

const whoAmI: Tool = {
  name: "who_am_i",
  about: "Your own place: agent id, role, team, pane and session. The same as `hivemind whoami --json`.",
  isReading: true,
  args: [],
  async run({ hive }) {
    const fleet = await hive.observe();
    return whoCalls(callerIn(hive, fleet), fleet);
  },
};

const listAgents: Tool = {
  name: "list_agents",
  about:
    "Every team and its agents: role, pane, what each is doing, session, context, queued messages. Name a team if there are many. The same as `hivemind status --json`. With fleet: the agents of all hosts as their hosts published them, with the age of each.",
  isReading: true,
  args: [
    { name: "team", about: "only this team", isOptional: true },
    { name: "fleet", about: "the agents of every host of the fleet", isOptional: true, is: "flag" },
  ],
  async run(call) {
    const { hive } = call;
    const { team, fleet } = call.given;
    callerIn(hive, await hive.panes());
    if (fleet === true) {
      const found = await agentsOfFleet(call);
      const agents = found.agents.filter((agent) => team === undefined || agent.team === team);
      return { ...found, agents };
    }
    const { teams, background } = await hive.viewFleet();
    return { teams: team === undefined ? teams : [teamNamed(teams, String(team))], background };
  },
};

const sendTool: Tool = {
  name: "send",
  about:
    "Sends words to another agent, exactly once, in your name. The outcome is delivered, queued (the agent is busy) or held (a person uses its pane); an error means that nothing was sent or that no proof of arrival exists. To an agent of another host it goes as mail: sent means that its host has said nothing yet.",
  isReading: false,
  args: [farArgument, { name: "text", about: "the message; prose only, no command of the client" }],
  async run(call) {
    const { hive } = call;
    const { agent, text } = call.given;
    const panes = await hive.panes();
    const { sender } = callerIn(hive, panes);
    const meant = nameIn(call, String(agent));
    if (typeof meant !== "string") return sendFar(call, sender, meant, String(text));
    const pane = hive.paneNamed(panes, meant);
    const words = withSender(String(text), sender);
    const sent = await send(hive, pane.id, words, { seen: panes, speaker: speakerOf(sender) });
    const problem = sentError(sent, pane);
    if (problem !== null) throw problem;
    return { pane: pane.address, paneId: pane.id, ...sentFacts(sent) };
  },
};

const messages: Tool = {
  name: "messages",
  about:
    "Your messages: those that wait in your queue, and the last ones you sent or received, each with the last step of its receipt.",
  isReading: true,
  args: [],
  async run({ hive }) {
    const panes = await hive.panes();
    const { pane } = callerIn(hive, panes);
    const receipts = hive.stores.receipts.read().rows;
    const agent = pane?.agent ?? null;
    if (agent === null) return { waiting: [], sent: [], received: [] };
    const { queues } = listQueues(hive, panes, { pane, agent }, lastSteps(receipts));
    return {
      waiting: queues.flatMap((queue) => queue.messages),
      ...ownMessages(receipts, agent.id, panes.roster.agents),
    };
  },
};

const delegate: Tool = {
  name: "delegate",
  about:
    "Gives another agent a task: keeps the task as a file and sends a message with its path. For tasks that are too long for a message.",
  isReading: false,
  args: [agentArgument, { name: "task", about: "the whole task, in words" }],
  async run({ hive, env, given: { agent, task } }) {
    const panes = await hive.panes();
    const { sender } = callerIn(hive, panes);
    const hint = "the file would be on this host: send the task itself as a message";
    const pane = hive.paneNamed(panes, ownNameIn({ hive, env }, String(agent), "delegate", hint));
    const delegated = await delegateTask(hive, panes, pane, String(task), sender);
    const problem = delegateError(delegated, pane);
    if (problem !== null) throw problem;
    return delegateFacts(delegated, pane);
  },
};

const waitFor: Tool = {
  name: "wait_for",
  about:
    "Waits until another agent is idle, asks its person something (waiting), or has answered your last message. The outcome is reached or timeout.",
  // A message that still waits in the queue is delivered meanwhile.
  isReading: false,
  args: [
    agentArgument,
    { name: "until", about: "idle (default), waiting or answered", isOptional: true, choices: awaitables },
    {
      name: "timeout",
      about: `give up after this many seconds (default ${limits.toolWaitSeconds}, at most ${limits.toolWaitMostSeconds})`,
      isOptional: true,
      is: "seconds",
      most: limits.toolWaitMostSeconds,
    },
  ],
  async run({ hive, env, given, interrupted }) {
    const panes = await hive.panes();
    const caller = callerIn(hive, panes);
    const hint = "its answer comes to you as a message; list_agents with fleet shows what it does";
    const pane = hive.paneNamed(panes, ownNameIn({ hive, env }, String(given.agent), "wait_for", hint));
    if (pane.id === caller.pane?.id)
      throw new HiveError("refused: you would wait for yourself", { hint: "name another agent" });
    const until = (given.until ?? "idle") as Awaitable;
    const timeoutMs = Number(given.timeout ?? limits.toolWaitSeconds) * 1000;
    const patience = { timeoutMs, interrupted };
    const awaited =
      until === "answered"
        ? await awaitAnswer(hive, questionTo(hive, caller.sender, pane), patience)
        : await awaitAgent(hive, pane, until, patience);
    const problem = awaited.outcome === "ended" ? await awaitedError(hive, awaited, pane) : null;
    if (problem !== null) throw problem;
    return { pane: pane.address, paneId: pane.id, until, ...awaitedFacts(awaited) };
  },
};

/** The caller's last message to this agent. Somebody else's would be answered, and the caller's would not. */
function questionTo({ stores }: Hive, sender: Sender, { agent, address }: FleetPane): MessageId {
  const isKnown = sender.agent !== null && agent !== null;
  const asked = isKnown ? lastSentTo(stores.receipts.read().rows, sender.agent!, agent.id) : null;
  if (asked !== null) return asked;
  throw new HiveError(`refused: no message of yours to ${address} is on record`, {
    hint: "send one first, or wait until it is idle",
  });
}

/** What a read is about: the caller itself if nothing is named. `far` is the answer of another host. */
async function subjectOf(
  call: ToolCall,
  panes: Panes,
  words: string,
  argument: string,
): Promise<{ of: string; far: object | null }> {
  const caller = callerIn(call.hive, panes);
  const { of } = call.given;
  const meant = of === undefined ? refOf(caller) : nameIn(call, String(of));
  if (typeof meant === "string") return { of: meant, far: null };
  const { name, host } = meant;
  return { of: name, far: await askFar(call, caller.sender, host, { words, args: { [argument]: name } }) };
}

const context: Tool = {
  name: "context",
  about:
    "How full an agent's context is: used tokens, window and percent. The same as `hivemind context --json`.",
  isReading: true,
  args: [subjectArgument],
  async run(call) {
    const { hive, env } = call;
    const fleet = await hive.observe();
    const { of, far } = await subjectOf(call, fleet, "context", "pane");
    if (far !== null) return far;
    const paneNamed = (typed: string) => hive.paneNamed(fleet, typed);
    return { contexts: contextRows(fleet, windowsOf(env), paneNamed, of) };
  },
};

const lineage: Tool = {
  name: "lineage",
  about:
    "The family of a session: the session it was forked from, its forks, and its whole tree. The same as `hivemind lineage --json`.",
  isReading: true,
  args: [subjectArgument],
  async run(call) {
    const { hive, env } = call;
    const fleet = await hive.observe();
    const { of, far } = await subjectOf(call, fleet, "lineage", "ref");
    if (far !== null) return far;
    const trees = await lineageTrees(hive, fleet, listSessions(fleet, windowsOf(env)));
    const session = sessionNamed(of, idsIn(trees), fleet, (typed) => hive.paneNamed(fleet, typed));
    const { nodes, edges } = graphOf(trees.filter((root) => hasSession(root, (id) => id === session)));
    const parent = edges.find(({ child }) => child === session)?.parent ?? null;
    const children = edges.filter((edge) => edge.parent === session).map(({ child }) => child);
    return { session, parent, children, nodes, edges };
  },
};

const history: Tool = {
  name: "history",
  about: "Which session was in a pane when, or where a session was. The same as `hivemind history --json`.",
  isReading: true,
  args: [subjectArgument],
  async run(call) {
    const { hive } = call;
    const { of, far } = await subjectOf(call, await hive.panes(), "history", "ref");
    if (far !== null) return far;
    const { pane, session, stays } = await historyNamed(hive, of);
    return { pane, session, stays: stays.map(stayRow) };
  },
};

export const tools: readonly Tool[] = [
  ...[whoAmI, listAgents, sendTool, messages, delegate, waitFor],
  ...[context, lineage, history],
];
