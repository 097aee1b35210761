// One conversation: its facts, its relatives, and its messages.

import { shortId } from "../../src/names/short-id.js";
import { Conversation } from "../agent/conversation.js";
import { liveStates } from "../lineage/live-states.js";
import { counted } from "../parts/ago.js";
import { LinkButton } from "../parts/button.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { Page } from "../parts/page.js";
import { StateMark } from "../parts/state-mark.js";
import { TimeAgo } from "../parts/time-ago.js";
import { useLoaded } from "../server/use-loaded.js";
import { query } from "../shell/navigate.js";
import { to } from "../shell/router.js";
import { type Session, shortFolder, sizeWords } from "./session-rows.js";

interface SessionAnswer {
  session: Session & { children: readonly string[]; deletedAt: string | null };
}

export function SessionPage({ session: ref }: { session: string }) {
  const { value, failure, reload } = useLoaded<SessionAnswer>(
    `/sessions/${encodeURIComponent(ref)}?all=true`,
  );
  const session = value?.session ?? null;
  const state = session && liveStates().get(session.id);
  const [message, at] = [query.value.get("message"), query.value.get("at")];
  const target = message === null && at === null ? null : { message, at };
  return (
    <Page
      title={session === null ? "Session" : <Marked text={session.title || shortId(session.id)} />}
      about={session === null ? undefined : <About session={session} />}
      actions={
        <>
          {state?.key && (
            <LinkButton to={to("/agent/:key", { key: state.key })} icon="shell">
              Agent
            </LinkButton>
          )}
          {session !== null && (
            <LinkButton to={`#/lineage?${new URLSearchParams({ session: session.id })}`} icon="lineage">
              In the lineage
            </LinkButton>
          )}
        </>
      }
    >
      {failure !== null && <FailureNotice failure={failure} retry={reload} />}
      {value === null && failure === null && <Loading what="the conversation" />}
      {session !== null && (
        <>
          <p class="row session-relatives">
            {state && <StateMark state={state.activity} />}
            {session.parent !== null && (
              <a href={to("/sessions/:ref", { ref: session.parent })}>came from {shortId(session.parent)}</a>
            )}
            {session.children.map((child) => (
              <a key={child} href={to("/sessions/:ref", { ref: child })}>
                became {shortId(child)}
              </a>
            ))}
          </p>
          {session.path === null && session.agent === "claude" ? (
            <p class="soft">This conversation has no file: it has no messages yet, or it was deleted.</p>
          ) : (
            <Conversation session={session.id} target={target} />
          )}
        </>
      )}
    </Page>
  );
}

function About({ session }: { session: SessionAnswer["session"] }) {
  const { cwd, model, messages, sizeBytes, updatedAt, deletedAt, gitBranch } = session;
  return (
    <>
      {cwd !== null && (
        <span class="mono" title={cwd}>
          <Marked text={shortFolder(cwd)} />{" "}
        </span>
      )}
      {[
        gitBranch && `on ${gitBranch}`,
        model,
        messages !== null && counted(messages, "message"),
        sizeBytes !== null && sizeWords(sizeBytes),
      ]
        .filter(Boolean)
        .join(" · ")}{" "}
      · <TimeAgo at={updatedAt} form="long" />
      {deletedAt !== null && ` · the client deletes it on ${new Date(deletedAt).toLocaleDateString("en-GB")}`}
    </>
  );
}
