// Where a text was said: conversations with the words around each match.

import { counted } from "../parts/ago.js";
import { Button } from "../parts/button.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { TimeAgo } from "../parts/time-ago.js";
import { useLoaded } from "../server/use-loaded.js";
import { to } from "../shell/router.js";
import { type FoundSession, type SearchAnswer, shortFolder } from "./session-rows.js";

export function FoundSessions({ text, close }: { text: string; close(): void }) {
  const wanted = new URLSearchParams({ text, all: "true" });
  const { value, failure, reload } = useLoaded<SearchAnswer>(`/sessions/search?${wanted}`);
  return (
    <section class="card found" aria-label="What the search found">
      <header class="found-head">
        <h2>
          {value === null ? "Searching" : counted(value.sessions.length, "conversation")} with “
          <Marked text={text} />”
        </h2>
        <Button kind="quiet" icon="close" isIconOnly onClick={close}>
          Close the search
        </Button>
      </header>
      {failure !== null && <FailureNotice failure={failure} retry={reload} />}
      {value === null && failure === null && <Loading what="the matches" />}
      {value?.sessions.length === 0 && (
        <p class="soft">
          Nobody said this in {counted(value.searched.of, "conversation")}. Capital letters must match.
        </p>
      )}
      {value?.sessions.map((session) => (
        <Found key={session.id} session={session} />
      ))}
      {value?.ended === "enough" && <p class="faint">There may be more. Search for a longer text.</p>}
    </section>
  );
}

function Found({ session: { id, title, cwd, updatedAt, isCut, hits } }: { session: FoundSession }) {
  const address = to("/sessions/:ref", { ref: id });
  return (
    <article class="found-session">
      <p class="row">
        <a href={address} data-row>
          <Marked text={title || id} />
        </a>
        <span class="faint">
          {cwd !== null && <Marked text={shortFolder(cwd)} />} <TimeAgo at={updatedAt} />
        </span>
      </p>
      <ul>
        {hits.map(({ role, before, match, after, at }) => (
          <li class="found-hit">
            <a href={at === null ? address : `${address}?${new URLSearchParams({ at })}`}>
              {role}
              <span class="unseen"> at {at}</span>
            </a>
            <span>
              <Marked text={before} />
              <mark>
                <Marked text={match} />
              </mark>
              <Marked text={after} />
            </span>
          </li>
        ))}
        {isCut && <li class="faint">and more in this conversation</li>}
      </ul>
    </article>
  );
}
