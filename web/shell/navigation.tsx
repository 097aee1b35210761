// The way to every view: a sidebar, or a bar at the bottom of a phone.

import { serverFacts, waitingCount } from "../fleet/fleet.js";
import { Icon } from "../parts/icon.js";
import { type Route, routes } from "../routes.js";
import { isHelpOpen } from "./keys.js";
import { found } from "./navigate.js";
import { to } from "./router.js";
import { ThemeSwitch } from "./theme-switch.js";

export function Navigation() {
  const listed = routes.filter(({ key, pattern }) => key !== undefined && pattern !== "/more");
  return (
    <header class="sidebar">
      <a class="brand" href="#/" aria-label="hivemind, to the board">
        <Hexagon />
        hivemind
      </a>
      <nav aria-label="Views">
        <ul>
          {listed.map((route) => (
            <li key={route.pattern}>
              <ViewLink route={route} />
            </li>
          ))}
        </ul>
      </nav>
      <div class="sidebar-foot">
        <ServerLine />
        <div class="row">
          <ThemeSwitch />
          <a class="button button-quiet button-icon" href="#/more" title="More">
            <Icon name="more" />
            <span class="unseen">More: notifications, this server</span>
          </a>
          <button
            type="button"
            class="button button-quiet button-icon"
            title="Keys (?)"
            onClick={() => (isHelpOpen.value = true)}
          >
            <Icon name="keys" />
            <span class="unseen">Keys</span>
          </button>
        </div>
      </div>
    </header>
  );
}

export function BottomBar() {
  const listed = routes.filter(({ isInBottomBar }) => isInBottomBar);
  return (
    <nav class="bottom-bar" aria-label="Views">
      <ul>
        {listed.map((route) => (
          <li key={route.pattern}>
            <ViewLink route={route} />
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function ViewLink({ route }: { route: Route }) {
  const here = found.value?.route.pattern ?? "";
  const isHere = here === route.pattern;
  // An agent's page belongs to the board, a session's to the sessions.
  const isAbove = (route.pattern === "/" && here === "/agent/:key") || here.startsWith(`${route.pattern}/:`);
  return (
    <a
      class={isHere || isAbove ? "view-link view-link-here" : "view-link"}
      href={to(route.pattern)}
      aria-current={isHere ? "page" : isAbove ? "true" : undefined}
    >
      <Icon name={route.icon} />
      <span class="view-word">{route.title}</span>
      {route.pattern === "/inbox" && <WaitingCount />}
    </a>
  );
}

function WaitingCount() {
  const count = waitingCount.value;
  if (count === 0) return null;
  return (
    <span class="count numbers">
      {count}
      <span class="unseen"> waiting</span>
    </span>
  );
}

function ServerLine() {
  const facts = serverFacts.value;
  if (facts === null) return null;
  return (
    <p class="server-line faint" title={facts.folder}>
      <span class="cut">{facts.host}</span>
      <span>{facts.allowsActions ? "" : "read-only"}</span>
    </p>
  );
}

function Hexagon() {
  return (
    <svg class="hexagon" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M16 3.5l10.8 6.25v12.5L16 28.5 5.2 22.25V9.75z" />
      <circle cx="16" cy="16" r="4" />
    </svg>
  );
}
