// Every conversation, newest first; and a search in what was said.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { counted } from "../parts/ago.js";
import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { Icon } from "../parts/icon.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { TimeAgo } from "../parts/time-ago.js";
import { useLoaded } from "../server/use-loaded.js";
import { changeQuery, query } from "../shell/navigate.js";
import { to } from "../shell/router.js";
import { FoundSessions } from "./found-sessions.js";
import { type Session, type SessionsAnswer, sessionsMeant, shortFolder } from "./session-rows.js";

const step = 100;

export function SessionList() {
  const { value, failure, reload } = useLoaded<SessionsAnswer>("/sessions?all=true");
  const typed = useSignal(query.peek().get("find") ?? "");
  const asked = useSignal(query.peek().get("text") ?? "");
  const count = useSignal(step);
  const sessions = value?.sessions ?? [];
  const meant = useMemo(() => sessionsMeant(sessions, typed.value), [value, typed.value]);
  const search = (text: string) => {
    asked.value = text;
    changeQuery("text", text || null);
  };
  return (
    <Page
      title="Sessions"
      about={value === null ? "Every conversation, newest first" : counted(sessions.length, "conversation")}
    >
      <form
        class="session-search"
        onSubmit={(event) => {
          event.preventDefault();
          search(typed.value.trim());
        }}
      >
        <label class="search-field">
          <span class="unseen">Filter by title, folder, branch or id</span>
          <Icon name="search" />
          <input
            class="field"
            type="search"
            data-filter
            placeholder="Filter by title, folder, branch…"
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
              count.value = step;
              changeQuery("find", typed.value || null);
              if (asked.value !== "") search("");
            }}
          />
        </label>
        <Button type="submit" icon="search" disabled={typed.value.trim() === ""}>
          Search in what was said
        </Button>
      </form>
      {failure !== null && <FailureNotice failure={failure} retry={reload} />}
      {value === null && failure === null && <Loading what="the conversations" />}
      {asked.value !== "" && <FoundSessions text={asked.value} close={() => search("")} />}
      {value !== null && sessions.length === 0 && (
        <EmptyState icon="sessions" title="No conversations yet." command="hivemind demo">
          Start an agent, or try the demo fleet.
        </EmptyState>
      )}
      {sessions.length > 0 && meant.length === 0 && asked.value === "" && (
        <p class="soft">No title, folder or id has these words. Press Enter to search in what was said.</p>
      )}
      <ul class="card session-list">
        {meant.slice(0, count.value).map((session) => (
          <Row key={`${session.id} ${session.cwd}`} session={session} />
        ))}
      </ul>
      {meant.length > count.value && (
        <Button onClick={() => (count.value += step)}>
          Show {counted(meant.length - count.value, "more")}
        </Button>
      )}
    </Page>
  );
}

function Row({ session }: { session: Session }) {
  const { id, title, cwd, gitBranch, pane, background, messages, context, updatedAt, lifecycle } = session;
  const isLit = pane !== null || background !== null;
  return (
    <li>
      <a class="session-item" href={to("/sessions/:ref", { ref: id })} data-row>
        <span class={isLit ? "session-light session-light-on" : "session-light"} aria-hidden="true" />
        <span class="session-title cut">
          {title ? <Marked text={title} /> : <span class="faint">{id}</span>}
        </span>
        <span class="session-facts cut faint">
          {isLit && <b>{pane ?? "in the background"} </b>}
          {!isLit && lifecycle !== "saved" && `${lifecycle} `}
          {cwd !== null && (
            <span class="mono">
              <Marked text={shortFolder(cwd)} />
            </span>
          )}
          {gitBranch && <span> on {gitBranch}</span>}
        </span>
        <span class="session-numbers faint numbers">
          {messages !== null && <span>{counted(messages, "message")}</span>}
          {context?.window && <span>{Math.round((100 * context.used) / context.window)} % context</span>}
          <TimeAgo at={updatedAt} />
        </span>
      </a>
    </li>
  );
}
