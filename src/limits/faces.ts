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
  demoRedrawMs: 1_000,
  /** Three small programs on a loaded machine. */
  demoStartMs: 30_000,

  // demo/
  /** The shortest limit of any system for a socket's path: 104 bytes including the final NUL. */
  socketPathBytes: 103,

  // cli/sessions/cells.ts, cli/lineage/show-lineage.ts
  /** A longer title is cut, so that the table is not. */
  titleColumns: 60,
  /** A deeper tree would leave the screen: its depth is printed as a number instead. */
  lineageDepth: 20,

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
  /** Per kind of finding; the rows of a broken file would fill the screen. */
  findingsShown: 12,

  // cli/agent-monitor.ts, cli/team-monitor.ts
  /** More than tmux keeps per pane by default. */
  monitorLines: 5_000,

  // cli/sessions/show.ts
  /** Of the beginning and the end of a conversation, each. */
  shownMessages: 3,

  // cli/sessions/session-json.ts
  /** Real tool input is flat; deeper input would only exhaust the stack. */
  toolInputDepth: 100,

  // cli/sessions/table.ts
  /** This much of a title is shown on any screen, however narrow. */
  leastTitleColumns: 16,
  branchColumns: 20,
  folderColumns: 28,
} as const;
