// One agent of the board. It draws itself again only when its own agent changes.

import type { AgentView } from "../../src/fleet/view.js";
import type { AgentKey } from "../../src/web/contract.js";
import { agentSignal } from "../fleet/fleet.js";
import { ContextBar } from "../parts/context-bar.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { withoutHidden } from "../parts/marks.js";
import { StateMark } from "../parts/state-mark.js";
import { TimeAgo } from "../parts/time-ago.js";
import { to } from "../shell/router.js";
import { groupOf, labelOf, shortModel, stateOf } from "./board-rows.js";

export function AgentRow({ agentKey }: { agentKey: AgentKey }) {
  const agent = agentSignal(agentKey)?.value;
  if (agent === undefined) return null;
  const group = groupOf(agent);
  return (
    <li class={`agent-row agent-${group}`}>
      <StateMark state={stateOf(agent)} />
      <span class="agent-name">
        <a class="agent-link" data-row href={to("/agent/:key", { key: agentKey })}>
          <Marked text={labelOf(agent)} />
        </a>
        <span class="faint cut mono agent-place">{agent.role !== null && <Marked text={agent.pane} />}</span>
      </span>
      <Words agent={agent} />
      <span class="agent-model faint cut" title={agent.model ?? undefined}>
        {shortModel(agent.model) || agent.kind}
      </span>
      <span class="agent-context">
        <ContextBar context={agent.context} />
      </span>
      <span class="agent-queued">
        <Queued count={agent.queued} />
      </span>
      <span class="agent-since faint">
        <TimeAgo at={agent.since} />
      </span>
    </li>
  );
}

function Words({ agent }: { agent: AgentView }) {
  const { activity, waitingFor, about, lastWords, standing, requests } = agent;
  if (activity === "waiting") {
    const id = requests[0]?.id;
    return (
      <span class="agent-words agent-asks">
        <code class="cut">
          <Marked text={waitingFor ?? "asks something"} />
        </code>
        <a class="button review" href={id === undefined ? "#/inbox" : `#/inbox?item=${id}`}>
          Review
        </a>
      </span>
    );
  }
  const text =
    about ?? lastWords ?? (standing === "away" ? "its pane is gone; its conversation is kept" : "");
  return (
    <span
      class={about === null ? "agent-words soft cut" : "agent-words agent-about cut"}
      title={withoutHidden(text)}
    >
      <Marked text={text} />
    </span>
  );
}

/** The messages in an agent's queue. */
export function Queued({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span class="queued numbers" title="messages in its queue">
      <Icon name="message" />
      {count}
      <span class="unseen"> queued</span>
    </span>
  );
}
