// The page #/timeline: what happened in the fleet, day by day, live.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { LoggedFact } from "../../src/web/contract.js";
import { facts as liveFacts } from "../fleet/fleet.js";
import { counted } from "../parts/ago.js";
import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { Icon } from "../parts/icon.js";
import { Loading } from "../parts/loading.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { useLoaded } from "../server/use-loaded.js";
import { EventRow } from "./event-row.js";
import { type EventGroup, eventGroups } from "./event-sentence.js";
import { byDay, filteredFacts, joined, type TimelineFilter, teamsIn } from "./timeline-rows.js";
import "./timeline.css";

const [firstLines, step] = [500, 2000];

export function TimelinePage() {
  const lines = useSignal(firstLines);
  const { value, failure, isLoading, reload } = useLoaded<{ events: readonly LoggedFact[] }>(
    `/events?lines=${lines.value}`,
  );
  const filter = useSignal<TimelineFilter>({ group: null, team: null, text: "" });
  const live = liveFacts.value;
  const all = useMemo(() => joined(value?.events ?? [], live), [value, live]);
  const days = useMemo(() => byDay(filteredFacts(all, filter.value)), [all, filter.value]);
  const mayHaveMore = value !== null && value.events.length >= lines.value;
  return (
    <Page title="Timeline" about="What happened in the fleet. New events appear by themselves.">
      <Filters filter={filter.value} change={(next) => (filter.value = next)} teams={teamsIn(all)} />
      {failure !== null && <FailureNotice failure={failure} retry={reload} />}
      {value === null && failure === null && <Loading what="the events" />}
      {value !== null && all.length === 0 && (
        <EmptyState icon="timeline" title="Nothing has happened yet.">
          Every agent that starts, ends, forks, moves or asks leaves a line here.
        </EmptyState>
      )}
      {all.length > 0 && days.length === 0 && <p class="soft">No event fits this filter.</p>}
      {days.map(({ day, facts }) => (
        <section key={day} class="timeline-day" aria-labelledby={`day-${day}`}>
          <h2 id={`day-${day}`}>
            {dayWords(day)} <span class="faint">{counted(facts.length, "event")}</span>
          </h2>
          <ol class="card timeline">
            {facts.map((fact, at) => (
              <EventRow key={`${fact.at} ${facts.length - at}`} fact={fact} />
            ))}
          </ol>
        </section>
      ))}
      {mayHaveMore && (
        <p>
          <Button disabled={isLoading} onClick={() => (lines.value += step)}>
            Earlier events
          </Button>
        </p>
      )}
    </Page>
  );
}

function Filters({
  filter,
  teams,
  change,
}: {
  filter: TimelineFilter;
  teams: readonly string[];
  change(filter: TimelineFilter): void;
}) {
  return (
    <search class="timeline-filters">
      <label class="search-field">
        <span class="unseen">Filter by agent, session or word</span>
        <Icon name="search" />
        <input
          class="field"
          type="search"
          data-filter
          placeholder="Filter by agent, session, word…"
          value={filter.text}
          onInput={(event) => change({ ...filter, text: event.currentTarget.value })}
        />
      </label>
      <label>
        <span class="unseen">Kind</span>
        <select
          class="field"
          value={filter.group ?? ""}
          onChange={({ currentTarget }) =>
            change({ ...filter, group: (currentTarget.value || null) as EventGroup | null })
          }
        >
          <option value="">every kind</option>
          {eventGroups.map(({ group, words }) => (
            <option key={group} value={group}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label>
        <span class="unseen">Team</span>
        <select
          class="field"
          value={filter.team ?? ""}
          onChange={({ currentTarget }) => change({ ...filter, team: currentTarget.value || null })}
        >
          <option value="">every team</option>
          {teams.map((team) => (
            <option key={team} value={team}>
              {team}
            </option>
          ))}
        </select>
      </label>
    </search>
  );
}

function dayWords(day: string): string {
  const date = new Date(`${day}T12:00`);
  const isSame = (other: Date) => other.toDateString() === date.toDateString();
  if (isSame(new Date())) return "Today";
  if (isSame(new Date(Date.now() - 86_400_000))) return "Yesterday";
  return date.toLocaleDateString("en-GB", {
    weekday: "long",
    day: "numeric",
    month: "long",
    year: "numeric",
  });
}
