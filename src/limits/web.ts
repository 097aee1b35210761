// Limits of `hivemind serve`.

export const webLimits = {
  // cli/serve/
  /** Above the ports of well-known programs, below those that systems hand out. */
  webPort: 7433,

  // cli/fleet/keep-bus.ts
  /** Longer than the page waits between two questions about other hosts. */
  keptBusMs: 15_000,

  // stores/serve.ts
  /** Time to open a printed address. It also bounds how long a copied one in a chat is worth anything. */
  linkMs: 10 * 60 * 1000,
  /** Links that nobody opened yet: more than a person prints in ten minutes. */
  openLinks: 100,
  serverFileBytes: 4_096,
  keyBytes: 256,

  // web/tokens.ts
  /** A working day: a tab that nobody used for longer asks for a new link. */
  tokenIdleMs: 12 * 60 * 60 * 1000,
  /** Open tabs. The one that was not used for longest gives way. */
  tokens: 100,

  // web/secret-file.ts
  /** Shorter ones can be guessed. */
  tokenLeastLength: 32,
  tokenFileBytes: 1_024,
  tlsFileBytes: 1_000_000,

  // web/run-server.ts
  /** Every browser opens at most 6 to one server; the rest waits in the system's own queue. */
  webConnections: 2_000,
  /** A browser sends its headers at once. */
  webHeaderMs: 5_000,
  /** A body of `webBodyBytes` over a slow phone. */
  webRequestMs: 30_000,
  webHeaderBytes: 16_384,
  webKeepAliveMs: 10_000,
  /** How often the server looks for connections that are too slow. */
  webCheckMs: 2_000,
  /** Actions that still run when the server ends: they stop between two steps. */
  webEndMs: 5_000,

  // web/read-body.ts
  /** A message, a task or a team file. */
  webBodyBytes: 256 * 1024,

  // web/routes.ts
  /** A reader that takes nothing of an answer for this long has gone away. */
  webUnreadMs: 30_000,

  // web/turnstile.ts
  /** Requests at once. A page loads a dozen values. */
  webRequestsPerToken: 24,
  webRequests: 96,
  /** Streams that are open. A page has one for the fleet and one per visible pane. */
  webStreamsPerToken: 24,
  webStreams: 120,

  // web/stream-hub.ts
  /** Unsent bytes of one reader before it is dropped: a fleet of a thousand agents fits. */
  streamBacklogBytes: 4 * 1024 * 1024,
  /** A silent stream shows its reader that it lives. Proxies close a silent connection after 30 seconds or more. */
  streamBeatMs: 10_000,

  // web/live-fleet.ts
  /** Rows of the event log that a page gets at once, after a long silence. */
  streamFacts: 200,
  /** A page that reloads comes back sooner than this: the look goes on. */
  streamLingerMs: 3_000,

  // web/pane-screens.ts
  /** A person sees no delay while a pane changes. */
  screenBusyMs: 150,
  screenCalmMs: 1_000,
  /** A pane that changed is watched closely for this long. */
  screenLatelyMs: 3_000,
  /** After a capture comes a rest of this many times as long: many panes cost a small share of a core. */
  screenRestTimes: 4,

  // web/own-endpoints.ts
  /** Of one request: a large paste arrives in parts. */
  typedBytes: 4_096,

  // cli/serve/open-server.ts
  /** Keys that follow each other are one action in the event log. */
  typingPauseMs: 60_000,

  // cli/serve/
  /** Commands at once: each looks at tmux, processes and files. A few saturate two cores. */
  webReads: 4,
  webActs: 4,
  /** Commands that wait for their turn: a page asks for a dozen values when it opens. */
  webReadsWaiting: 64,
  webActsWaiting: 16,
  /** Events of one answer, if no number is given: a few screens of a timeline. */
  eventsListed: 500,

  // web/metrics.ts
  /** Prometheus asks every 15 seconds or more; several of them share one look. */
  metricsAgeMs: 5_000,
} as const;
