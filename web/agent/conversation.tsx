// The messages of one session, as a person reads them: the newest at the end, earlier ones when scrolling up.

import { useComputed } from "@preact/signals";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { agentSignal, background, teams } from "../fleet/fleet.js";
import { Button } from "../parts/button.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { FailureNotice } from "../parts/notice.js";
import { type Message, shownOf, type Target } from "../sessions/message-pages.js";
import { MessageView, speakerOf } from "../sessions/message-view.js";
import { useMessages } from "../sessions/use-messages.js";
import "../sessions/conversation.css";

/** A region that scrolls must be reachable by keyboard. */
const reachable = { tabIndex: 0 };

/** `target` is the message to begin at. */
export function Conversation({ session, target = null }: { session: string; target?: Target | null }) {
  const news = useComputed(() => newsOf(session));
  const messages = useMessages(session, target, news.value);
  const { known, failure, isLoading } = messages;
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => (known === null ? [] : shownOf(known)), [known]);
  useScroll(box, shown, messages.target, known?.until === null);
  if (known === null)
    return failure === null ? (
      <Loading what="the conversation" />
    ) : (
      <FailureNotice failure={failure} retry={messages.retry} />
    );
  if (known.messages.length === 0)
    return (
      <EmptyState icon="sessions" title="No words yet.">
        The first message appears here by itself.
      </EmptyState>
    );
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = box.current!;
    if (scrollTop < 400 && !isLoading) messages.showEarlier();
    if (scrollHeight - scrollTop - clientHeight < 400 && known.until !== null) messages.showLater();
  };
  return (
    <div class="conversation">
      {failure !== null && <FailureNotice failure={failure} />}
      <div
        ref={box}
        class="conversation-scroll"
        role="log"
        aria-label="Conversation"
        {...reachable}
        onScroll={scrolled}
      >
        <div class="conversation-top faint">
          {known.before === null && known.from === 0 ? (
            "The beginning of the conversation"
          ) : (
            <Button kind="quiet" onClick={messages.showEarlier} disabled={isLoading}>
              {isLoading ? "Loading…" : "Earlier messages"}
            </Button>
          )}
        </div>
        {shown.map((message, at) => (
          <Said
            key={message.place}
            message={message}
            before={shown[at - 1]}
            isTarget={message.place === messages.target}
            isFork={target?.message != null}
          />
        ))}
        {known.until !== null && (
          <div class="conversation-top">
            <Button kind="quiet" icon="down" onClick={messages.toEnd}>
              To the newest message
            </Button>
          </div>
        )}
      </div>
    </div>
  );
}

function Said({
  message,
  before,
  isTarget,
  isFork,
}: {
  message: Message;
  before: Message | undefined;
  isTarget: boolean;
  isFork: boolean;
}) {
  const isNewDay = message.at !== null && dayOf(message.at) !== dayOf(before?.at ?? null);
  const isContinued = !isNewDay && before !== undefined && speakerOf(before) === speakerOf(message);
  return (
    <>
      {isNewDay && (
        <p class="conversation-day">
          <span>{dayOf(message.at)}</span>
        </p>
      )}
      <MessageView {...{ message, isContinued, isTarget, isFork }} />
    </>
  );
}

/** Follows the end while it is in sight, stays where it is while earlier messages come, goes to a target once. */
function useScroll(
  box: { current: HTMLDivElement | null },
  shown: readonly Message[],
  target: number | null,
  isAtNewest: boolean,
): void {
  const before = useRef({ first: null as number | null, height: 0, isAtEnd: true });
  useLayoutEffect(() => {
    const { current } = box;
    if (current === null || shown.length === 0) return;
    const { first, height, isAtEnd } = before.current;
    const begins = shown[0]!.place;
    if (first !== null && begins < first) current.scrollTop += current.scrollHeight - height;
    else if (isAtEnd && isAtNewest && target === null) current.scrollTop = current.scrollHeight;
    before.current = { ...before.current, first: begins, height: current.scrollHeight };
  }, [shown]);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const note = () => {
      const { scrollTop, scrollHeight, clientHeight } = current;
      before.current.isAtEnd = scrollHeight - scrollTop - clientHeight < 48;
      before.current.height = scrollHeight;
    };
    current.addEventListener("scroll", note, { passive: true });
    return () => current.removeEventListener("scroll", note);
  }, [box.current]);
  useEffect(() => {
    if (target === null) return;
    const { current } = box;
    const found = current?.querySelector(`[data-place="${target}"]`);
    if (!current || !found) return;
    // Only this box scrolls: scrollIntoView would move the page too.
    const above = found.getBoundingClientRect().top - current.getBoundingClientRect().top;
    current.scrollTop += above - current.clientHeight / 3;
    before.current.isAtEnd = false;
  }, [target]);
}

/** Changes whenever the agent of this session says or does something. Reads signals. */
function newsOf(session: string): string {
  for (const { agents } of teams.value ?? []) {
    for (const key of agents) {
      const agent = agentSignal(key)?.value;
      if (agent?.uuid === session)
        return JSON.stringify([agent.activity, agent.lastWords, agent.context?.used]);
    }
  }
  return JSON.stringify(background.value.find(({ uuid }) => uuid === session) ?? null);
}

function dayOf(at: string | null): string {
  if (at === null) return "";
  return new Date(at).toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long" });
}
