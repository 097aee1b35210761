// One agent: facts, actions, its request, and its views.

import "../inbox/inbox.css";
import "./agent.css";
import { lazy, Suspense } from "preact/compat";
import type { AgentView } from "../../src/fleet/view.js";
import { labelOf, nameOf } from "../board/board-rows.js";
import { agentIn, attentionOf, type TeamSummary, teams } from "../fleet/fleet.js";
import { useSettling } from "../inbox/decision.js";
import { InboxItem } from "../inbox/inbox-item.js";
import { ReadOnlyNote } from "../inbox/read-only-note.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { Page } from "../parts/page.js";
import { panelOf, type Tab, Tabs } from "../parts/tabs.js";
import type { Place } from "../routes.js";
import { changeQuery, query } from "../shell/navigate.js";
import { tagOf } from "../shell/waiting-words.js";
import { AgentActions } from "./agent-actions.js";
import { AgentFacts } from "./agent-facts.js";
import { Composer } from "./composer.js";
import { Evidence } from "./evidence.js";
import { History } from "./history.js";
import { Messages } from "./messages.js";

const Terminal = lazy(async () => (await import("./terminal-view.js")).TerminalView);
const Conversation = lazy(async () => (await import("./conversation.js")).Conversation);
const ContextChart = lazy(async () => (await import("./context-chart.js")).ContextChart);

const tabNames = ["terminal", "conversation", "context", "messages", "history", "evidence"] as const;
type TabName = (typeof tabNames)[number];

export function AgentPage({ place }: { place: Place }) {
  const found = agentIn(place.key!);
  if (found === null) {
    return (
      <Page title={<Marked text={place.key!} />}>
        {teams.value === null ? <Loading what="the agent" /> : <Gone name={place.key!} />}
      </Page>
    );
  }
  const { agent, team } = found;
  return (
    <Page
      title={<Marked text={labelOf(agent)} />}
      about={<AgentFacts agent={agent} team={team.team} />}
      actions={<AgentActions agent={agent} />}
      isWide
    >
      <Asking agent={agent} />
      <Views agent={agent} team={team} />
    </Page>
  );
}

function Gone({ name }: { name: string }) {
  return (
    <EmptyState icon="away" title="This agent is not in the fleet." command={`hivemind history ${name}`}>
      It may have ended, or have been forgotten. Its history may still be known.
    </EmptyState>
  );
}

function Asking({ agent }: { agent: AgentView }) {
  const items = attentionOf(agent);
  useSettling(items.map(tagOf));
  if (items.length === 0) return null;
  return (
    <div class="stack">
      <ReadOnlyNote />
      <ul class="stack">
        {items.map((item) => (
          <InboxItem key={tagOf(item)} item={item} isOnAgentPage />
        ))}
      </ul>
    </div>
  );
}

function Views({ agent, team }: { agent: AgentView; team: TeamSummary }) {
  const has = (name: TabName) => {
    if (name === "terminal") return agent.paneId !== null;
    return name === "conversation" || name === "context" ? agent.uuid !== null : true;
  };
  const tabs = tabNames
    .filter(has)
    .map(
      (name): Tab<TabName> => ({ ...titleOf(name), ...(name === "messages" ? { count: agent.queued } : {}) }),
    );
  const wanted = query.value.get("tab");
  const chosen = tabs.find(({ name }) => name === wanted)?.name ?? tabs[0]!.name;
  const name = nameOf(agent);
  return (
    <div class="agent-views">
      <Tabs
        label="Views of this agent"
        tabs={tabs}
        chosen={chosen}
        choose={(tab) => changeQuery("tab", tab)}
      />
      <div class="agent-panel" {...panelOf(chosen)}>
        <Suspense fallback={<Loading what="this view" />}>
          {chosen === "terminal" && (
            <Terminal key={agent.paneId} pane={agent.paneId!} label={labelOf(agent)} />
          )}
          {chosen === "conversation" && <Conversation key={agent.uuid} session={agent.uuid!} />}
          {chosen === "context" && <ContextChart key={agent.uuid} name={name ?? agent.uuid!} />}
          {chosen === "messages" && name !== null && <Messages name={name} queued={agent.queued} />}
          {chosen === "history" && (
            <History reference={agent.agent === null ? agent.pane : `@${agent.agent}`} />
          )}
          {chosen === "evidence" && <Evidence agent={agent} team={team.team} />}
        </Suspense>
      </div>
      {name !== null && agent.agent !== null && chosen !== "evidence" && (
        <Composer name={name} agent={agent} />
      )}
    </div>
  );
}

function titleOf(name: TabName): Tab<TabName> {
  return { name, title: name[0]!.toUpperCase() + name.slice(1) };
}
