// The rest of the views on a phone, notifications, colours, keys, and facts about the server.

import { look, serverFacts } from "../fleet/fleet.js";
import { Button } from "../parts/button.js";
import { CommandLine } from "../parts/command-line.js";
import { Page } from "../parts/page.js";
import { TimeAgo } from "../parts/time-ago.js";
import { routes } from "../routes.js";
import { KeyList } from "./keys-dialog.js";
import { ViewLink } from "./navigation.js";
import { askPermission, isWanted, permission, want } from "./notify.js";
import { ThemeSwitch } from "./theme-switch.js";

export function MorePage() {
  const others = routes.filter(({ key, isInBottomBar }) => key !== undefined && !isInBottomBar);
  return (
    <Page title="More">
      <div class="stack">
        <nav class="card more-views" aria-label="More views">
          {others.map((route) => (
            <ViewLink key={route.pattern} route={route} />
          ))}
        </nav>
        <section class="card more-card">
          <h2>Notifications</h2>
          <Notifications />
        </section>
        <section class="card more-card">
          <h2>Colours</h2>
          <ThemeSwitch />
        </section>
        <section class="card more-card">
          <h2>This server</h2>
          <ServerTable />
        </section>
        <section class="card more-card more-keys">
          <h2>Keys</h2>
          <KeyList />
        </section>
      </div>
    </Page>
  );
}

function Notifications() {
  if (permission.value === "unsupported")
    return <p class="soft">This browser shows no notifications of web pages.</p>;
  if (permission.value === "denied")
    return (
      <p class="soft">
        The browser refuses them for this page; its settings for this address can change that.
      </p>
    );
  const isOn = permission.value === "granted" && isWanted.value;
  const turnOn = () => (permission.value === "granted" ? want(true) : void askPermission());
  return (
    <>
      <p class="soft">
        {isOn
          ? "You are told when an agent begins to wait and this page is not in front."
          : "Be told when an agent begins to wait and this page is not in front."}
      </p>
      <div class="row">
        {isOn ? (
          <Button onClick={() => want(false)}>Turn off</Button>
        ) : (
          <Button kind="main" icon="bell" onClick={turnOn}>
            Turn on
          </Button>
        )}
      </div>
    </>
  );
}

function ServerTable() {
  const facts = serverFacts.value;
  const seen = look.value;
  if (facts === null) return <p class="soft">Not connected.</p>;
  return (
    <>
      <dl class="facts">
        <dt>Host</dt>
        <dd>{facts.host}</dd>
        <dt>hivemind</dt>
        <dd>{facts.release}</dd>
        <dt>Folder</dt>
        <dd class="mono">{facts.folder}</dd>
        <dt>Allows</dt>
        <dd>
          looking{facts.allowsActions && ", acting"}
          {facts.allowsTyping && ", typing"}
        </dd>
        <dt>Worker</dt>
        <dd>{seen?.worker ?? "nobody delivers messages"}</dd>
        <dt>Last look</dt>
        <dd>
          <TimeAgo at={seen?.lookedAt ?? null} form="long" />
        </dd>
      </dl>
      {!facts.allowsActions && (
        <p class="soft">
          To act from here, start the server with <CommandLine text="hivemind serve --allow-actions" />
        </p>
      )}
    </>
  );
}
