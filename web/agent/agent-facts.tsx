// Who an agent is, in one or two lines under its name.

import type { AgentView } from "../../src/fleet/view.js";
import { shortId } from "../../src/names/short-id.js";
import { shortModel, stateOf } from "../board/board-rows.js";
import { ContextBar } from "../parts/context-bar.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { withoutHidden } from "../parts/marks.js";
import { StateMark } from "../parts/state-mark.js";
import { TimeAgo } from "../parts/time-ago.js";
import { to } from "../shell/router.js";

export function AgentFacts({ agent, team }: { agent: AgentView; team: string }) {
  const { pane, kind, model, context, cwd, uuid, since } = agent;
  return (
    <span class="agent-facts">
      <span class="agent-fact">
        <StateMark state={stateOf(agent)} />
        {since !== null && (
          <span class="faint">
            for <TimeAgo at={since} />
          </span>
        )}
      </span>
      <span class="agent-fact">
        <Marked text={team} />
        {pane !== "" && (
          <span class="mono faint">
            <Marked text={pane} />
          </span>
        )}
      </span>
      <span class="agent-fact">{[kind, shortModel(model)].filter(Boolean).join(" · ")}</span>
      {context !== null && (
        <span class="agent-fact">
          <ContextBar context={context} />
        </span>
      )}
      {uuid !== null && (
        <a class="agent-fact mono" href={to("/sessions/:ref", { ref: uuid })} title="its conversation">
          {shortId(uuid)}
        </a>
      )}
      {cwd !== null && (
        <span class="agent-fact mono faint agent-folder" title={withoutHidden(cwd)}>
          <Icon name="folder" />
          <span class="cut">
            <Marked text={cwd} />
          </span>
        </span>
      )}
    </span>
  );
}
