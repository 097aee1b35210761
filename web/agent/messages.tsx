// The messages of an agent, each with the steps that its receipts record.

import { useEffect } from "preact/hooks";
import { Badge, type Tone } from "../parts/badge.js";
import { EmptyState } from "../parts/empty-state.js";
import { Icon } from "../parts/icon.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { TimeAgo } from "../parts/time-ago.js";
import { useLoaded } from "../server/use-loaded.js";
import { detailWords } from "./sent-words.js";

/** `GET /messages/{name}` */
interface MessagesAnswer {
  messages: readonly Message[];
}

interface Message {
  id: string;
  direction: "received" | "sent";
  with: { kind: "person" | "agent"; name: string; agent: string | null };
  text: string | null;
  door: string | null;
  step: string;
  steps: readonly { at: string; step: string; pane: string | null; detail: string }[];
}

/** They change when the queue does. */
export function Messages({ name, queued }: { name: string; queued: number }) {
  const { value, failure, reload } = useLoaded<MessagesAnswer>(`/messages/${encodeURIComponent(name)}`);
  useEffect(() => {
    if (value !== null) reload();
  }, [queued]);
  if (failure !== null) return <FailureNotice failure={failure} retry={reload} />;
  if (value === null) return <Loading what="the messages" />;
  if (value.messages.length === 0) {
    return (
      <EmptyState icon="message" title="No messages yet.">
        Messages that people and agents send through hivemind appear here, with proof of their arrival.
      </EmptyState>
    );
  }
  return (
    <>
      <div class="row">
        <button type="button" class="button button-quiet" onClick={reload}>
          <Icon name="restart" />
          Load again
        </button>
      </div>
      <ol class="messages">
        {value.messages.toReversed().map((message) => (
          <MessageCard key={`${message.id} ${message.direction}`} message={message} />
        ))}
      </ol>
    </>
  );
}

function MessageCard({ message }: { message: Message }) {
  const { direction, text, step, steps, door } = message;
  const other = message.with;
  return (
    <li class={`card message message-${direction}`}>
      <header class="row">
        <Icon name={other.kind === "person" ? "person" : "shell"} />
        <strong>
          {direction === "received" ? "from" : "to"} <Marked text={other.name} />
        </strong>
        <Badge tone={toneOf(step)}>{step}</Badge>
        {door !== null && <span class="faint">by {door}</span>}
        <span class="faint message-age">
          <TimeAgo at={steps[0]?.at ?? null} form="long" />
        </span>
      </header>
      {text === null ? (
        <p class="faint">Its text is in the conversation.</p>
      ) : (
        <p class="message-text">
          <Marked text={text} />
        </p>
      )}
      <ol class="steps" aria-label="What happened to it">
        {steps.map(({ at, step: name, detail }) => (
          <li key={`${at} ${name}`} class={`step step-${toneOf(name)}`} title={detail}>
            <span class="step-name">{name}</span>
            <time class="faint numbers" dateTime={at}>
              {new Date(at).toLocaleTimeString()}
            </time>
            {detail !== "" && (
              <span class="soft">
                <Marked text={detailWords(detail)} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </li>
  );
}

function toneOf(step: string): Tone {
  if (step === "accepted" || step === "answered") return "good";
  if (step === "uncertain" || step === "refused" || step === "expired") return "bad";
  return step === "cleared" || step === "moved" ? "plain" : "accent";
}
