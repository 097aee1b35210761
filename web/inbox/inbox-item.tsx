// One thing that waits for a person: who, what, and the answers.

import type { Attention } from "../../src/hive/attention.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { TimeAgo } from "../parts/time-ago.js";
import { to } from "../shell/router.js";
import { tagOf, verbOf } from "../shell/waiting-words.js";
import { DialogBody } from "./dialog-body.js";
import { LostMessageBody } from "./lost-message-body.js";
import { RequestBody } from "./request-body.js";
import { TroubleBody } from "./trouble-body.js";

export function InboxItem({
  item,
  isWanted = false,
  isOnAgentPage = false,
}: {
  item: Attention;
  isWanted?: boolean;
  /** Then it needs no way to that page. */
  isOnAgentPage?: boolean;
}) {
  const isAsking = item.kind === "request" || item.kind === "dialog";
  const look = isAsking ? "item-asks" : item.kind === "message" ? "item-message" : "item-trouble";
  return (
    <li
      id={tagOf(item)}
      class={`card item ${look}${isWanted ? " item-wanted" : ""}`}
      data-row
      tabIndex={-1}
      onKeyDown={enter}
    >
      <header class="item-head">
        <Icon name={isAsking ? "wait" : item.kind === "message" ? "message" : "warning"} />
        <h2>
          <Who item={item} isLink={!isOnAgentPage} /> <span class="item-verb">{verbOf(item)}</span>
        </h2>
        <span class="faint item-facts">
          {item.team !== null && (
            <span>
              <Marked text={item.team} />
            </span>
          )}
          {item.pane !== null && item.pane !== item.who && (
            <span class="mono">
              <Marked text={item.pane} />
            </span>
          )}
          {item.kind === "request" && <TimeAgo at={item.request.since} form="long" />}
          {item.kind === "message" && <TimeAgo at={item.message.at} form="long" />}
        </span>
      </header>
      <Body item={item} isOnAgentPage={isOnAgentPage} />
    </li>
  );
}

/** Enter goes to the first thing to press; it never decides by itself. */
function enter(event: KeyboardEvent): void {
  const item = event.currentTarget as HTMLElement;
  if (event.key !== "Enter" || event.target !== item) return;
  event.preventDefault();
  item.querySelector<HTMLElement>(".item-body button, .item-body input, .item-body a")?.focus();
}

function Who({ item, isLink }: { item: Attention; isLink: boolean }) {
  const key = item.agent === null ? item.paneId : `@${item.agent}`;
  if (key === null || !isLink) return <Marked text={item.who} />;
  return (
    <a href={to("/agent/:key", { key })}>
      <Marked text={item.who} />
    </a>
  );
}

function Body({ item, isOnAgentPage }: { item: Attention; isOnAgentPage: boolean }) {
  switch (item.kind) {
    case "request":
      return <RequestBody request={item.request} />;
    case "dialog":
      return <DialogBody item={item} />;
    case "message":
      return <LostMessageBody item={item} />;
    default:
      return <TroubleBody item={item} hasLink={!isOnAgentPage} />;
  }
}
