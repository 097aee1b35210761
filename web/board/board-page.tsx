// The board: every team and agent, live.

import "./board.css";
import { background, teams } from "../fleet/fleet.js";
import { hostsRead } from "../fleet/other-hosts.js";
import { Badge } from "../parts/badge.js";
import { EmptyState } from "../parts/empty-state.js";
import { Icon } from "../parts/icon.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { Page } from "../parts/page.js";
import { AgentRow } from "./agent-row.js";
import { BackgroundRows } from "./background-rows.js";
import { type Group, groups } from "./board-rows.js";
import { counts, filter, group, hostRows, type TeamRows, teamRows } from "./board-state.js";
import { OtherHosts } from "./other-hosts.js";
import { WaitingPanel } from "./waiting-panel.js";

export function BoardPage() {
  return (
    <Page title="Board" about={<Summary />} actions={<FilterField />} isWide>
      <WaitingPanel />
      <GroupChips />
      <Teams />
      <BackgroundRows />
      <OtherHosts />
    </Page>
  );
}

function Summary() {
  if (teams.value === null) return <>Looking at the fleet…</>;
  const { all, working, waiting } = counts.value;
  if (all === 0) return <>Your teams and their agents, live</>;
  const parts = [
    all === 1 ? "1 agent" : `${all} agents`,
    `${working} working`,
    ...(waiting > 0 ? [`${waiting} waiting for you`] : []),
  ];
  return <span class="numbers">{parts.join(" · ")}</span>;
}

function FilterField() {
  return (
    <label class="search-field board-filter">
      <span class="unseen">Filter agents</span>
      <Icon name="search" />
      <input
        class="field"
        type="search"
        data-filter
        placeholder="Filter by role, team, model, folder"
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
      />
      <span class="key-hint" aria-hidden="true">
        /
      </span>
    </label>
  );
}

const chipNames: Readonly<Record<Group, string>> = {
  waiting: "Waiting",
  working: "Working",
  idle: "Idle",
  trouble: "In trouble",
  away: "Away",
};

function GroupChips() {
  const numbers = counts.value;
  if (numbers.all === 0) return null;
  const chips: readonly (Group | null)[] = [null, ...groups.filter((each) => numbers[each] > 0)];
  return (
    <fieldset class="chips">
      <legend class="unseen">Show only</legend>
      {chips.map((each) => (
        <button
          key={each}
          type="button"
          class={`chip${each === null ? "" : ` chip-${each}`}`}
          aria-pressed={group.value === each}
          onClick={() => (group.value = each)}
        >
          {each === null ? "All" : chipNames[each]}
          <span class="numbers">{numbers[each ?? "all"]}</span>
        </button>
      ))}
    </fieldset>
  );
}

function Teams() {
  const rows = teamRows.value;
  if (rows === null) return <Loading what="the fleet" />;
  if (rows.length > 0) {
    return (
      <>
        {rows.map((each) => (
          <Team key={each.team.team} {...each} />
        ))}
      </>
    );
  }
  const isFiltered = filter.value.trim() !== "" || group.value !== null;
  // The agents that fit are on other hosts.
  if (isFiltered && hostRows.value.length > 0) return null;
  if (counts.value.all > 0 || (isFiltered && hostsRead.value !== null)) {
    return (
      <EmptyState icon="search" title="No agent fits.">
        <button
          type="button"
          class="button"
          onClick={() => {
            filter.value = "";
            group.value = null;
          }}
        >
          Show all
        </button>
      </EmptyState>
    );
  }
  if (background.value.length > 0) return null;
  return (
    <EmptyState
      icon="board"
      title={hostsRead.value === null ? "No agents run." : "No agents run on this host."}
      command="hivemind team setup shop architect builder tester"
    >
      Start a team in a project's folder. It appears here as soon as it runs.
    </EmptyState>
  );
}

function Team({ team, keys, counts: numbers }: TeamRows) {
  const { team: name, description, running, active, registered } = team;
  return (
    <section class="team" aria-label={`Team ${name}`}>
      <header class="team-head">
        <h2>
          <Marked text={name} />
        </h2>
        {active && <Badge>active</Badge>}
        {!running && <Badge>not running</Badge>}
        {running && !registered && <Badge title={`hivemind agent adopt ${name}`}>not registered</Badge>}
        {numbers.waiting > 0 && (
          <Badge tone="accent" icon="wait">
            {numbers.waiting} waiting
          </Badge>
        )}
        {description && (
          <span class="faint cut team-about">
            <Marked text={description} />
          </span>
        )}
      </header>
      {keys.length === 0 ? (
        <p class="faint team-empty">No agents.</p>
      ) : (
        <ul class="card agent-rows">
          {keys.map((key) => (
            <AgentRow key={key} agentKey={key} />
          ))}
        </ul>
      )}
    </section>
  );
}
