// Limits of what users see.

export const faceLimits = {
  // cli/
  /** Often enough to feel live, rarely enough to cost nothing. */
  followPollMs: 250,
  /** Earlier lines shown when following begins: as many as tail shows. */
  followLines: 10,
  /** Fewer bytes are read before a progress bar would be visible. */
  progressFromBytes: 50_000_000,
  /** Opening this many files takes a second or two, even small ones. */
  progressFromFiles: 10_000,
  /** A few small programs on a loaded machine. */
  demoStartMs: 30_000,

  // demo/
  /** Between two messages of the story: slow enough to read, fast enough that something happens. */
  storyPauseMs: 2_500,
  /** A watcher that is asked to end finishes its delivery first. */
  demoWatcherEndMs: 5_000,
  /** The shortest limit of any system for a socket's path: 104 bytes including the final NUL. */
  socketPathBytes: 103,

  // cli/sessions/cells.ts, cli/lineage/show-lineage.ts
  /** A longer title is cut, so that the table is not. */
  titleColumns: 60,
  /** A deeper tree would leave the screen: its depth is printed as a number instead. */
  lineageDepth: 20,

  // mcp/
  /** Clients of the protocol give a tool a minute or longer. */
  toolWaitSeconds: 50,
  /** An agent that waits longer than this should end its turn instead. */
  toolWaitMostSeconds: 600,
  /** Sent, and received: enough to see what became of the last ones. */
  ownMessages: 50,

  // top/terminal/
  /** The bytes of one key come together; a person takes longer between two. */
  escapeRestMs: 40,
  /** A program that still runs after this time was not stopped by Ctrl-Z. */
  stopMs: 100,
  /** Any thread of a busy node may get a signal, and tell of it later than another thread of the next one. */
  lateSignalMs: 500,

  // doctor/
  /** A program that takes longer to print its version is waiting for something. */
  versionMs: 5_000,
  /** Warn this many days before the client deletes a transcript. */
  cleanupNoticeDays: 5,
  /** A writer holds a lock for milliseconds, a command that changes a team for a minute or two. */
  lockAgeMs: 10 * 60 * 1000,
  /** A client starts within seconds; one that has shown nothing after this time will not. */
  trialMs: 25_000,
  trialPollMs: 100,
  /** A client that is asked to end cleans up within a second. */
  trialEndMs: 5_000,
  /** A script that only starts another program is shorter. */
  scriptHeadBytes: 4096,
  /** Per kind of finding; the rows of a broken file would fill the screen. */
  findingsShown: 12,

  // cli/agent-monitor.ts, cli/team-monitor.ts
  /** More than tmux keeps per pane by default. */
  monitorLines: 5_000,

  // cli/inbox/, cli/approve/
  /** Lines of one request or dialog: several fit on a screen. */
  inboxLines: 20,
  /** Characters of a request in the event log. */
  decisionLength: 200,

  // base/text/table.ts
  /** Texts whose width is remembered: a few screens full. A longer text than a line is not remembered. */
  measuredTexts: 1_000,
  measuredLength: 300,

  // base/remembered.ts
  /** Names of models and versions, of which a machine has a few dozen. */
  rememberedTexts: 1_000,

  // top/
  /** Between two looks while agents work: they find what their reports do not say. */
  topTickMs: 5_000,
  /** Between two looks while nothing happens: they find what neither a file nor a glance at tmux announces. */
  topCalmMs: 20_000,
  /** Between two glances at tmux, which announces nothing itself: new, moved and ended panes. */
  topGlanceMs: 3_000,
  /** The same while the pane that is shown changes. */
  topPaneMs: 1_000,
  /** Reports that come together are painted once. A person sees no delay. */
  topGatherMs: 100,
  /** The ages in the list are painted anew at least this often. */
  topClockMs: 10_000,
  /** A person who moves through the list wants no row on the way. */
  topLoadMs: 60,

  // cli/sessions/show.ts
  /** Of the beginning and the end of a conversation, each. */
  shownMessages: 3,

  // cli/sessions/export.ts, fleet/sessions/conversation-page.ts
  /** Messages of one page of a conversation: a few screens, unless more are wanted. */
  pageMessages: 50,
  pageMostMessages: 500,
  /** A page ends after this many bytes of records, so that long messages do not make it huge. */
  pageBytes: 1024 * 1024,

  // fleet/activity/context-history.ts
  /** More than a chart has columns for peaks. */
  contextPoints: 500,

  // cli/queue/queue.ts
  /** The last messages of an agent that are listed with their receipts. */
  agentMessages: 100,

  // cli/sessions/session-json.ts
  /** Real tool input is flat; deeper input would only exhaust the stack. */
  toolInputDepth: 100,

  // cli/sessions/table.ts
  /** This much of a title is shown on any screen, however narrow. */
  leastTitleColumns: 16,
  branchColumns: 20,
  folderColumns: 28,
} as const;
