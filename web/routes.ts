// Every view of the page, as data: the router, the navigation and the keys are made from this table.

import type { ComponentType } from "preact";
import type { IconName } from "./parts/icon.js";

/** The parts of an address after its pattern's fixed words: `{ key: "@k3j5n2ab" }`. */
export type Place = Readonly<Record<string, string>>;

export interface Route {
  /** `/agent/:key`; each `:word` is one part of the address, decoded. */
  pattern: string;
  title: string;
  icon: IconName;
  /** The second key after `g`. Absent: the view is not in the navigation. */
  key?: string;
  /** In the bottom bar of a phone; the others are on the "More" page. */
  isInBottomBar?: boolean;
  load(): Promise<ComponentType<{ place: Place }>>;
}

export const routes: readonly Route[] = [
  {
    ...{ pattern: "/", title: "Board", icon: "board", key: "b", isInBottomBar: true },
    load: async () => (await import("./board/board-page.js")).BoardPage,
  },
  {
    ...{ pattern: "/inbox", title: "Inbox", icon: "inbox", key: "i", isInBottomBar: true },
    load: async () => (await import("./inbox/inbox-page.js")).InboxPage,
  },
  {
    ...{ pattern: "/agent/:key", title: "Agent", icon: "shell" },
    load: async () => (await import("./agent/agent-page.js")).AgentPage,
  },
  {
    ...{ pattern: "/sessions", title: "Sessions", icon: "sessions", key: "s", isInBottomBar: true },
    load: async () => (await import("./sessions/sessions-page.js")).SessionsPage,
  },
  {
    ...{ pattern: "/sessions/:ref", title: "Session", icon: "sessions" },
    load: async () => (await import("./sessions/sessions-page.js")).SessionsPage,
  },
  {
    ...{ pattern: "/lineage", title: "Lineage", icon: "lineage", key: "l", isInBottomBar: true },
    load: async () => (await import("./lineage/lineage-page.js")).LineagePage,
  },
  {
    ...{ pattern: "/timeline", title: "Timeline", icon: "timeline", key: "t" },
    load: async () => (await import("./timeline/timeline-page.js")).TimelinePage,
  },
  {
    ...{ pattern: "/health", title: "Health", icon: "health", key: "h" },
    load: async () => (await import("./health/health-page.js")).HealthPage,
  },
  {
    ...{ pattern: "/team-file", title: "Team file", icon: "team-file", key: "f" },
    load: async () => (await import("./team-file/team-file-page.js")).TeamFilePage,
  },
  {
    ...{ pattern: "/more", title: "More", icon: "more", key: "m", isInBottomBar: true },
    load: async () => (await import("./shell/more-page.js")).MorePage,
  },
];
