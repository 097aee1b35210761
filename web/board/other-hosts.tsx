// The other hosts of the fleet, below the teams of this one. Their agents have no page here: their hosts publish only
// what a row shows.

import "./other-hosts.css";
import { useEffect } from "preact/hooks";
import type { AgedAgent } from "../../src/cli/fleet/status.js";
import type { HostState } from "../../src/link/read-fleet.js";
import { followHosts, hostsFailure, hostsRead } from "../fleet/other-hosts.js";
import { counted } from "../parts/ago.js";
import { Badge } from "../parts/badge.js";
import { ContextBar } from "../parts/context-bar.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { withoutHidden } from "../parts/marks.js";
import { FailureNotice } from "../parts/notice.js";
import { looksOf, StateMark } from "../parts/state-mark.js";
import { Age } from "../parts/time-ago.js";
import { Queued } from "./agent-row.js";
import { groupOf, shortModel, stateOf } from "./board-rows.js";
import { hostRows } from "./board-state.js";
import { farName, farWords, goneWords, type HostRows, momentText } from "./host-rows.js";

export function OtherHosts() {
  useEffect(followHosts, []);
  const heardMs = hostsRead.value?.heardMs ?? 0;
  return (
    <>
      {hostsFailure.value !== null && <FailureNotice failure={hostsFailure.value} />}
      {hostRows.value.map((each) => (
        <HostSection key={each.host.host} {...each} heardMs={heardMs} />
      ))}
    </>
  );
}

function HostSection({ host, rows, more, waiting, heardMs }: HostRows & { heardMs: number }) {
  return (
    <section class="team" aria-label={`Host ${host.host}`}>
      <header class="team-head host-head">
        <h2>
          <span class="host-word">Host</span> <Marked text={host.host} />
        </h2>
        <HostSign host={host} heardMs={heardMs} />
        {host.isReached && waiting > 0 && (
          <Badge tone="accent" icon="wait">
            {waiting} waiting
          </Badge>
        )}
        {host.machine !== "" && host.machine !== host.host && (
          <span class="faint cut team-about">
            <Marked text={host.machine} />
          </span>
        )}
      </header>
      {rows.length === 0 ? (
        <p class="faint team-empty">No agents.</p>
      ) : (
        <ul class="card agent-rows">
          {rows.map(({ key, agent }) => (
            <FarRowView key={key} agent={agent} isReached={host.isReached} heardMs={heardMs} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p class="faint team-empty">
          and {counted(more, "agent")} more: <code>hivemind status --fleet</code>
        </p>
      )}
      {host.unreadable > 0 && (
        <p class="faint team-empty">
          {counted(host.unreadable, "row")} of this host cannot be read by this version.
        </p>
      )}
    </section>
  );
}

/** Whether it is reached, or since when not. */
export function HostSign({ host, heardMs }: { host: HostState; heardMs: number }) {
  const seenMs = heardMs - host.ageMs;
  if (!host.isReached)
    return (
      <Badge tone="bad" icon="warning" title="the time of its last sign">
        <span class="numbers">
          {goneWords(host)} {momentText(seenMs, heardMs)} (<Age sinceMs={seenMs} form="short" />)
        </span>
      </Badge>
    );
  // Nobody knows whether it still is.
  if (hostsFailure.value !== null)
    return (
      <Badge>
        <span class="numbers">
          reached <Age sinceMs={heardMs} form="short" /> ago
        </span>
      </Badge>
    );
  return (
    <Badge tone="good" icon="check">
      reached
    </Badge>
  );
}

function FarRowView(props: { agent: AgedAgent; isReached: boolean; heardMs: number }) {
  const { agent, isReached, heardMs } = props;
  const words = farWords(agent);
  return (
    <li class={`agent-row far-row agent-${isReached ? groupOf(agent) : "away"}`}>
      {isReached ? <StateMark state={stateOf(agent)} /> : <LastState agent={agent} />}
      <span class="agent-name">
        <span
          class="far-name"
          data-row
          tabIndex={-1}
          title={withoutHidden(`${farName(agent)}@${agent.host}`)}
        >
          <Marked text={farName(agent)} />
        </span>
        <span class="faint cut mono agent-place">
          {agent.role !== null && agent.pane !== null && <Marked text={agent.pane} />}
        </span>
      </span>
      <span class="agent-words soft cut" title={withoutHidden(words)}>
        <Marked text={words} />
      </span>
      <span class="agent-model faint cut">
        <Marked text={shortModel(agent.model)} />
      </span>
      <span class="agent-context">
        <ContextBar context={agent.context} />
      </span>
      <span class="agent-queued">
        <Queued count={agent.queued} />
      </span>
      <span class="agent-since faint numbers" title="how long ago its host published this">
        <Age sinceMs={heardMs - agent.ageMs} form="short" /> old
      </span>
    </li>
  );
}

/** Of a host that is not reached: nobody knows what the agent does now. */
function LastState({ agent }: { agent: AgedAgent }) {
  const { icon, word } = looksOf(stateOf(agent));
  return (
    <span class="state state-plain">
      <Icon name={icon} />
      was {word}
    </span>
  );
}
