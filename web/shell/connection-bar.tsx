// Says when what the page shows is old, and why. Absent while everything is fresh.

import { look } from "../fleet/fleet.js";
import { connection } from "../fleet/live.js";
import { Button } from "../parts/button.js";
import { Icon } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { Age } from "../parts/time-ago.js";
import { retryNow } from "../server/stream.js";

export function ConnectionBar() {
  return (
    <div role="status" class="connection-place">
      <Bar />
    </div>
  );
}

function Bar() {
  const state = connection.value;
  if (state.kind === "broken") {
    return (
      <div class="connection-bar">
        <Icon name="warning" />
        <p>
          <strong>Not connected.</strong> What you see is from <OldAge sinceMs={state.sinceMs} />.
          Reconnecting…
        </p>
        <Button kind="quiet" onClick={retryNow}>
          Reconnect now
        </Button>
      </div>
    );
  }
  const seen = look.value;
  if (state.kind === "connecting" || seen === null || seen.problem === null) return null;
  return (
    <div class="connection-bar">
      <Icon name="warning" />
      <p>
        <strong>The server cannot look at the fleet.</strong> What you see is from{" "}
        <OldAge sinceMs={Date.parse(seen.lookedAt)} />: <Marked text={seen.problem} />
      </p>
    </div>
  );
}

/** A screen reader hears the sentence once, not every second. */
function OldAge({ sinceMs }: { sinceMs: number }) {
  return (
    <span aria-hidden="true">
      <Age sinceMs={sinceMs} form="long" />
    </span>
  );
}
