// Why hivemind says what it says about this agent.

import type { AgentView } from "../../src/fleet/view.js";
import { tokens } from "../parts/context-bar.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { StateMark } from "../parts/state-mark.js";
import { type Column, Table } from "../parts/table.js";

type Finding = AgentView["activityEvidence"][number];

const columns: readonly Column<Finding>[] = [
  {
    title: "Counts",
    cell: ({ chosen }) => (chosen ? <Icon name="check" label="it counts" /> : <span class="faint">–</span>),
  },
  { title: "Source", cell: ({ source }) => source },
  { title: "Says", cell: ({ activity }) => <StateMark state={activity} /> },
  { title: "Because", isWide: true, cell: ({ reason }) => <Marked text={reason} /> },
];

export function Evidence({ agent, team }: { agent: AgentView; team: string }) {
  const { context } = agent;
  const facts: readonly [string, string | null][] = [
    ["Agent", agent.agent === null ? null : `@${agent.agent}`],
    ["Standing", agent.standing],
    ["Team", team],
    ["Pane", [agent.pane, agent.paneId].filter(Boolean).join(" ") || null],
    ["Kind", agent.kind],
    ["Conversation", agent.uuid],
    ["Its state", agent.state],
    ["Model", agent.model],
    [
      "Context",
      context === null
        ? null
        : `${tokens(context.used)} of ${context.window === null ? "an unknown window" : tokens(context.window)}`,
    ],
    ["Folder", agent.cwd],
    ["Title", agent.title],
  ];
  return (
    <div class="stack">
      <div class="card">
        <Table
          caption="Evidence for what the agent does"
          columns={columns}
          rows={agent.activityEvidence}
          keyOf={({ source, reason }) => `${source} ${reason}`}
        />
      </div>
      <dl class="facts card evidence-facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value === null ? <span class="faint">unknown</span> : <Marked text={value} />}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}
