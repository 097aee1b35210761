// One event: when, what kind, and what happened, with links to the agent and the conversations.

import { shortId } from "../../src/names/short-id.js";
import type { LoggedFact } from "../../src/web/contract.js";
import { Icon, type IconName } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { memo } from "../sessions/memo.js";
import { to } from "../shell/router.js";
import { groupOf, type Part, sentenceOf } from "./event-sentence.js";

export const EventRow = memo(({ fact }: { fact: LoggedFact }) => (
  <li class={`event event-${groupOf(fact.event)}`}>
    <time class="faint numbers" dateTime={fact.at} title={new Date(fact.at).toLocaleString()}>
      {new Date(fact.at).toLocaleTimeString("en-GB")}
    </time>
    <span class={isBad(fact) ? "event-icon event-icon-bad" : "event-icon"} title={fact.event}>
      <Icon name={iconOf(fact)} />
    </span>
    <span class="event-words">
      {sentenceOf(fact).map((part) => (
        <Words part={part} />
      ))}
    </span>
  </li>
));

function Words({ part }: { part: Part }) {
  switch (part.kind) {
    case "session":
      return (
        <a class="mono" href={to("/sessions/:ref", { ref: part.id })} title={part.id}>
          {shortId(part.id)}
        </a>
      );
    case "agent":
      return (
        <a href={to("/agent/:key", { key: part.key })}>
          <Marked text={part.text} />
        </a>
      );
    case "strong":
      return (
        <b>
          <Marked text={part.text} />
        </b>
      );
    case "code":
      return (
        <code>
          <Marked text={part.text} />
        </code>
      );
    default:
      return <Marked text={part.text} />;
  }
}

const icons: Readonly<Record<string, IconName>> = {
  "agent.spawned": "release",
  "agent.killed": "kill",
  "agent.forgotten": "close",
  "agent.renamed": "rename",
  "agent.forked": "fork",
  "session.forked": "fork",
  "session.changed": "sessions",
  "session.dropped": "warning",
  "session.rebound": "folder",
  "request.decided": "check",
  "web.acted": "system",
  "far.acted": "system",
};

function iconOf({ event, args }: LoggedFact): IconName {
  if (event === "request.decided" && (args.decision === "rejected" || args.decision === "dismissed"))
    return "close";
  return icons[event] ?? (event.startsWith("team.") ? "board" : "next");
}

function isBad({ event, args }: LoggedFact): boolean {
  return event === "session.dropped" || args.cause === "crashed" || args.outcome === "failed";
}
