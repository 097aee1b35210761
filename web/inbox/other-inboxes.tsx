// What waits on the other hosts of the fleet. A host is asked when its rows say that something waits there. It decides
// itself what it shows, and what this host may answer.

import { useEffect, useMemo } from "preact/hooks";
import type { FarInbox } from "../../src/cli/far/far-requests.js";
import { HostSign } from "../board/other-hosts.js";
import { followHosts, hostsFailure, hostsRead } from "../fleet/other-hosts.js";
import { CommandLine } from "../parts/command-line.js";
import { Loading } from "../parts/loading.js";
import { Marked } from "../parts/marked.js";
import { FailureNotice } from "../parts/notice.js";
import { Age } from "../parts/time-ago.js";
import { outcomes } from "../server/act.js";
import { useLoaded } from "../server/use-loaded.js";
import { tagOf } from "../shell/waiting-words.js";
import { useSettling } from "./decision.js";
import { InboxItem } from "./inbox-item.js";
import { type WaitingHost, waitingHosts } from "./waiting-hosts.js";

export function OtherInboxes() {
  useEffect(followHosts, []);
  const read = hostsRead.value;
  return (
    <>
      {hostsFailure.value !== null && <FailureNotice failure={hostsFailure.value} />}
      {read !== null &&
        waitingHosts(read.status).map((each) => (
          <HostInbox key={each.host.host} {...each} heardMs={read.heardMs} />
        ))}
    </>
  );
}

function HostInbox({ host, version, heardMs }: WaitingHost & { heardMs: number }) {
  return (
    <section class="host-inbox stack" aria-label={`Inbox of ${host.host}`}>
      <header class="team-head host-head">
        <h2>
          <span class="host-word">Host</span> <Marked text={host.host} />
        </h2>
        <HostSign host={host} heardMs={heardMs} />
      </header>
      {host.isReached && version !== null && <HostItems host={host.host} version={version} />}
      {host.isReached && version === null && <p class="faint">Nothing waits there.</p>}
      {!host.isReached && <p class="faint">Nobody knows what waits there now.</p>}
    </section>
  );
}

function HostItems({ host, version }: { host: string; version: string }) {
  const { value, failure, reload } = useLoaded<FarInbox>(`/fleet/${encodeURIComponent(host)}/inbox`);
  // Also after an answer of this page: what was decided is gone then.
  useEffect(reload, [version, outcomes.value[0]?.id]);
  const readMs = useMemo(() => Date.now() - (value?.ageMs ?? 0), [value]);
  const items = value?.items ?? [];
  useSettling(items.map(tagOf));
  if (value === null)
    return failure === null ? (
      <Loading what="its inbox" />
    ) : (
      <FailureNotice failure={failure} retry={reload} />
    );
  return (
    <>
      {failure !== null && <FailureNotice failure={failure} retry={reload} />}
      <p class="faint numbers">
        read from there <Age sinceMs={readMs} form="short" /> ago
      </p>
      {value.isTextHidden && items.length > 0 ? (
        <p class="soft">
          <Marked text={items.map(({ who }) => who).join(", ")} />: that host does not show this one what is
          asked. A person can allow it there: <CommandLine text="hivemind fleet allow approve" />
        </p>
      ) : items.length === 0 ? (
        <p class="faint">Nothing waits there.</p>
      ) : (
        <ul class="stack">
          {items.map((item) => (
            <InboxItem key={tagOf(item)} item={item} isOnAgentPage />
          ))}
        </ul>
      )}
    </>
  );
}
