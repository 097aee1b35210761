// An agent that hit a limit, failed or crashed.

import type { Attention } from "../../src/hive/attention.js";
import { Button, LinkButton } from "../parts/button.js";
import { Marked } from "../parts/marked.js";
import { to } from "../shell/router.js";
import { useDecision } from "./decision.js";
import { allowsActions } from "./read-only-note.js";

type Trouble = Extract<Attention, { kind: "limited" | "error" | "crashed" }>;

export function TroubleBody({ item, hasLink }: { item: Trouble; hasLink: boolean }) {
  const { kind, about, until, agent, paneId } = item;
  const { isBusy, decide } = useDecision();
  const key = agent === null ? paneId : `@${agent}`;
  const name = paneId ?? key;
  return (
    <div class="item-body">
      {about !== null && (
        <p>
          <Marked text={about} />
        </p>
      )}
      {until !== null && (
        <p class="soft">
          It ends at <time dateTime={until}>{new Date(until).toLocaleString()}</time>.
        </p>
      )}
      <div class="row item-actions">
        {allowsActions() && name !== null && kind === "crashed" && (
          <Button
            kind="main"
            icon="restart"
            isBusy={isBusy}
            onClick={(event) => void decide(event, "/agents/restart", { name })}
          >
            Restart it in its conversation
          </Button>
        )}
        {allowsActions() && name !== null && kind === "error" && (
          <Button
            kind="main"
            icon="release"
            isBusy={isBusy}
            onClick={(event) => void decide(event, "/release", { name })}
          >
            Deliver its next message
          </Button>
        )}
        {hasLink && key !== null && <LinkButton to={to("/agent/:key", { key })}>Open its page</LinkButton>}
      </div>
    </div>
  );
}
