// Everything that waits for a person.

import "./inbox.css";
import { useEffect, useRef } from "preact/hooks";
import { inbox, teams } from "../fleet/fleet.js";
import { hostsRead } from "../fleet/other-hosts.js";
import { counted } from "../parts/ago.js";
import { EmptyState } from "../parts/empty-state.js";
import { Loading } from "../parts/loading.js";
import { Page } from "../parts/page.js";
import { query } from "../shell/navigate.js";
import { tagOf } from "../shell/waiting-words.js";
import { useSettling } from "./decision.js";
import { InboxItem } from "./inbox-item.js";
import { OtherInboxes } from "./other-inboxes.js";
import { ReadOnlyNote } from "./read-only-note.js";

export function InboxPage() {
  const items = inbox.value;
  const about =
    items.length === 0 ? "What your agents need from you" : `${counted(items.length, "thing")} for you`;
  return (
    <Page title="Inbox" about={about}>
      <ReadOnlyNote />
      <Items />
      <OtherInboxes />
    </Page>
  );
}

function Items() {
  const items = inbox.value;
  const list = useRef<HTMLUListElement>(null);
  const wanted = query.value.get("item");
  useSettling(items.map(tagOf));
  useEffect(() => {
    if (wanted === null) return;
    const item = document.getElementById(wanted);
    item?.scrollIntoView({ block: "center" });
    item?.focus({ preventScroll: true });
  }, [wanted, items.length > 0]);
  useEffect(() => {
    // The item with the focus was decided and is gone: the next one gets it, or the page's title.
    if (document.activeElement !== document.body) return;
    const next = list.current?.querySelector<HTMLElement>("[data-row]") ?? document.querySelector("h1");
    next?.focus({ preventScroll: true });
  }, [items]);
  if (teams.value === null) return <Loading what="the inbox" />;
  if (items.length === 0) {
    return (
      <EmptyState
        icon="check"
        title={`Nothing waits for you${hostsRead.value === null ? "" : " on this host"}.`}
      >
        Requests, questions, errors and lost messages of all agents appear here.
      </EmptyState>
    );
  }
  return (
    <ul class="stack" ref={list}>
      {items.map((item) => (
        <InboxItem key={tagOf(item)} item={item} isWanted={tagOf(item) === wanted} />
      ))}
    </ul>
  );
}
