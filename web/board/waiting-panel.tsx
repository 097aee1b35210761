// Everything that waits for a person, in a few lines at the top of the board.

import "./waiting-panel.css";
import { inbox } from "../fleet/fleet.js";
import { LinkButton } from "../parts/button.js";
import { Icon, type IconName } from "../parts/icon.js";
import { Marked } from "../parts/marked.js";
import { withoutHidden } from "../parts/marks.js";
import { TimeAgo } from "../parts/time-ago.js";
import { bodyOf, tagOf, verbOf } from "../shell/waiting-words.js";

/** More are in the inbox. */
const most = 4;

export function WaitingPanel() {
  const items = inbox.value;
  if (items.length === 0) return null;
  const rest = items.length - most;
  return (
    <section class="waiting-panel" aria-labelledby="waiting-title">
      <h2 id="waiting-title">
        <Icon name="wait" />
        Waiting for you
      </h2>
      <ul>
        {items.slice(0, most).map((item) => (
          <li key={tagOf(item)} class="waiting-item">
            <span class="waiting-who">
              <strong>
                <Marked text={item.who} />
              </strong>
              {item.team !== null && (
                <span class="faint">
                  {" "}
                  <Marked text={item.team} />
                </span>
              )}
              <span class="soft"> {verbOf(item)}</span>
            </span>
            <code class="waiting-line cut">
              <Marked text={bodyOf(item)} />
            </code>
            <span class="faint waiting-age">
              {item.kind === "request" && <TimeAgo at={item.request.since} />}
              {item.kind === "message" && <TimeAgo at={item.message.at} />}
            </span>
            <LinkButton
              kind="main"
              to={`#/inbox?item=${encodeURIComponent(tagOf(item))}`}
              label={`Review ${withoutHidden(item.who)}`}
            >
              {iconFor(item.kind) === "wait" ? "Review" : "Look"}
            </LinkButton>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p>
          <a href="#/inbox">and {rest} more in the inbox</a>
        </p>
      )}
    </section>
  );
}

function iconFor(kind: string): IconName {
  return kind === "request" || kind === "dialog" ? "wait" : "warning";
}
