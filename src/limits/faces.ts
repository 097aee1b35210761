// Bounds of what people see.

export const faceLimits = {
  // cli/
  /** Often enough to feel live, seldom enough to cost nothing. */
  followPollMs: 250,
  /** What happened before somebody began to follow: as much as tail shows. */
  followLines: 10,
  /** Less is read before anybody could see a progress bar. */
  progressFromBytes: 50_000_000,
  /** Opening this many takes a second or two, however small they are. */
  progressFromFiles: 10_000,
  demoRedrawMs: 1_000,
  /** Three small programs on a loaded machine. */
  demoStartMs: 30_000,

  // demo/
  /** What every system takes for the path of a socket: 104 bytes with the one that ends it is the least. */
  socketPathBytes: 103,

  // cli/show-sessions.ts, cli/show-lineage.ts
  /** A longer title is cut, not the table. */
  titleColumns: 60,
  /** Deeper than this a drawn tree leaves the screen: the depth is a number then. */
  lineageDepth: 20,

  // doctor/
  /** A program that takes longer to tell its version waits for something. */
  versionMs: 5_000,
  /** So early it is worth a word that the client will delete a transcript. */
  cleanupNoticeDays: 5,
  /** A writer holds a lock for milliseconds, a command that changes a team for a minute or two. */
  lockAgeMs: 10 * 60 * 1000,
  /** A client starts within seconds; one that has shown nothing by then will not. */
  trialMs: 25_000,
  trialPollMs: 100,
  /** A client that was told to end tidies up within a second. */
  trialEndMs: 5_000,
  /** Of one kind of finding; a broken file would fill the screen with its rows. */
  findingsShown: 10,

  // cli/agent-monitor.ts, cli/team-monitor.ts
  /** What tmux keeps of a pane by default, with room to spare. */
  monitorLines: 5_000,

  // cli/sessions-show.ts
  /** Of the beginning and the end of a conversation. */
  shownMessages: 3,

  // cli/sessions-json.ts
  /** What tools are really given is flat; deeper it would only exhaust the stack. */
  toolInputDepth: 100,

  // cli/sessions-table.ts
  /** However narrow the screen is, so much of a title is shown. */
  leastTitleColumns: 16,
  branchColumns: 20,
  folderColumns: 28,
} as const;
