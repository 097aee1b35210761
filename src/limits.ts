// Every bound in the program, with its unit in its name and its reason beside it.

export const limits = {
  // names/
  /** tmux takes any length; a name must still fit a status bar and a file name with room to spare. */
  teamNameLength: 64,
  roleLength: 40,
  projectLength: 40,
  hostLength: 64,
  /** A path may have 4096 bytes on Linux; nothing that belongs into a row is longer. */
  fieldLength: 4096,

  // base/lock.ts
  /** A writer holds a lock for some milliseconds. A holder that lives and keeps it this long is stuck. */
  lockWaitMs: 10_000,
  lockPollMs: 4,
  lockPollCapMs: 40,

  // stores/
  /** A longer line is somebody else's: kept as it is, reported, never parsed. */
  rowBytes: 64 * 1024,
  /** Small text files: one that is larger was not written by us, and reading it would stall every command. */
  storeBytes: 256 * 1024 * 1024,
  logRotateBytes: 1024 * 1024,
  /** More than this waiting for one agent means that nobody reads them. */
  queueRows: 50,
  queueAgeSeconds: 3600,
  /** Some hundred panes, each with a title, a folder and a command. */
  layoutBytes: 4 * 1024 * 1024,
  snapshotBytes: 16 * 1024 * 1024,
  /** A hook's report carries the agent's last words at most. */
  hookReportBytes: 1024 * 1024,
  forkChunkBytes: 1024 * 1024,
  /** Distinct texts of one column whose gate is not asked again; enough for every pane and session of a fleet. */
  rememberedFields: 20_000,

  // tmux/
  /** A server that takes longer is hung: say so instead of hanging with it. */
  tmuxTimeoutMs: 10_000,
  tmuxOutputBytes: 64 * 1024 * 1024,
  /** `send-keys -l` fails above about 16,000 bytes, so longer text goes through a buffer. */
  sendKeysBytes: 8_000,

  // processes/
  /** ps answers from memory; one that takes longer hangs on a dead file system. */
  psTimeoutMs: 10_000,
  psOutputBytes: 16 * 1024 * 1024,

  // cli/
  /** Often enough to feel live, seldom enough to cost nothing. */
  followPollMs: 250,
  /** Less is read before anybody could see a progress bar. */
  progressFromBytes: 50_000_000,
  /** Opening this many takes a second or two, however small they are. */
  progressFromFiles: 10_000,
  demoRedrawMs: 1_000,
  /** Three small programs on a loaded machine. */
  demoStartMs: 30_000,

  // cli/show-sessions.ts, cli/show-lineage.ts
  /** A longer title is cut, not the table. */
  titleColumns: 60,
  /** Deeper than this a drawn tree leaves the screen: the depth is a number then. */
  lineageDepth: 20,

  // transcripts/
  /** What is read at once: large enough that a call costs nothing, small enough to stay in the processor's cache. */
  transcriptBlockBytes: 512 * 1024,
  /** A longer line gives no fact at all, so that no line can ask for unbounded memory. */
  transcriptLineBytes: 16 * 1024 * 1024,
  /** Parsing a line of megabytes (an image, a pasted file) to learn the time of the next one is not worth it. */
  transcriptPlainBytes: 256 * 1024,
  /** A second thread takes about 50 ms to start: it is worth it for a first look, not for what is new. */
  transcriptWorkerBytes: 128 * 1024 * 1024,
  /** How long reading may keep the event loop waiting: progress is drawn, and Ctrl-C heard, in between. */
  transcriptStretchMs: 40,
  /** Compared at both ends of what was read before: whether a file only grew. */
  transcriptSampleBytes: 1024,
  /** File times tick every 4 to 10 ms: what was written this shortly before a look may change without a new time. */
  transcriptRacyMs: 25,
  /** Below this, reading what is new again is cheaper than writing the cache. */
  transcriptSaveBytes: 1024 * 1024,
  /** `session_id` is looked for in the beginning only: a session that inherits says so there. */
  transcriptHeadMessages: 16,
  /** A session that is compacted every day gets there in months, and its forks of then are long forgotten. */
  transcriptBoundaries: 100,
  /** Some hundred bytes a transcript: a larger cache was not written by us. */
  transcriptCacheBytes: 256 * 1024 * 1024,
  /** Clients delete transcripts after 30 days by default; chains of deleted ones are not kept for ever. */
  transcriptChainDays: 30,
  /** A conversation that is going on is looked at often, and each look would write the cache again. */
  kinshipQuietMs: 60_000,
  /** A file is born when its first message is written, give or take a slow disk. */
  transcriptBirthSlackMs: 5_000,

  // fleet/
  /** A conversation that was written to this recently is going on. */
  liveAgeMs: 120_000,
  /** Shells in shells in tools: deeper than any real nesting, and an end for a table that changes meanwhile. */
  ancestors: 256,
  /** A transcript older than this is not believed for a pane's context unless it is the pane's own session. */
  contextAgeMs: 600_000,

  // fleet/probe.ts
  /** Clients have taken an Enter that comes at once for a part of the text. */
  probeRestMs: 300,
  probePollMs: 50,
  /** Typed text is drawn within milliseconds; a machine that swaps takes longer. */
  probeEchoMs: 3_000,
  /** The client asks npm for its newest version before it shows its status. */
  probeDialogMs: 10_000,

  // agents/claude/hooks/, stores/hook-reports.ts
  /** Of what a client tells its hook. More than this is a pasted file, which says nothing about the session. */
  hookInputBytes: 64 * 1024,
  /** The handler takes some milliseconds; a client waits no longer than this for one that hangs. */
  hookTimeoutSeconds: 5,
  /** What nobody took up in a day is no evidence any more. */
  hookReportAgeMs: 24 * 60 * 60 * 1000,
  /** A settings file is written by hand. */
  settingsBytes: 4 * 1024 * 1024,
  settingsDepth: 100,

  // teams/start.ts, teams/end.ts, agents/claude/launch.ts
  /** tmux takes some 16,000 bytes a command, with everything else that stands in it. */
  promptBytes: 12_000,
  /** A client reports its session within seconds; on a machine that swaps it takes longer. */
  startMs: 60_000,
  startPollMs: 100,
  /** After Ctrl-C: a client that is nearly up is still seen, and nobody waits long. */
  startInterruptedMs: 4_000,
  /** A client that draws and keeps no registry would have written it by then. */
  startSilenceMs: 3_000,
  /** Of an ended program: enough for its error, not for its whole screen. */
  lastWordsLines: 6,
  /** A client that was told to end tidies up within a second or two; then it is killed. */
  endMs: 10_000,

  // teams/spawn.ts
  /** Where panes would become smaller than this an agent gets a window of its own. */
  spawnColumns: 60,
  spawnRows: 12,

  // doctor/
  /** A program that takes longer to tell its version waits for something. */
  versionMs: 5_000,
  /** What the client keeps transcripts for, unless its settings say otherwise; and how early that is worth a word. */
  cleanupDays: 30,
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

  // messages/
  /** Clients have taken an Enter that comes at once for a part of the paste before it. */
  deliverRestMs: 300,
  deliverPollMs: 50,
  /** Pasted text is drawn within milliseconds; a machine that swaps takes longer. */
  deliverEchoMs: 3_000,
  /** An idle client turns busy at once, and writes down what was said within a second or two. */
  deliverProofMs: 8_000,
  /** Of a message whose beginning has scrolled out of its box: this much of its end is no coincidence. */
  deliverTailLength: 40,
  slashCommandLength: 2_000,
  /** Of what a transcript got behind a message: its record is among the first. */
  proofBytes: 16 * 1024 * 1024,

  // cli/agent-monitor.ts, cli/team-monitor.ts
  /** What tmux keeps of a pane by default, with room to spare. */
  monitorLines: 5_000,

  // layout/
  /** Larger than any wall of screens; tmux itself stops at 10,000. */
  layoutSide: 2_000,
  /** Of one window, and of windows: more was not saved from a screen that people look at. */
  layoutPanes: 200,
  layoutWindows: 200,
  layoutStringLength: 16_000,
  /** A window nobody looks at yet: wide enough for an agent's dialogs. */
  birthWidth: 200,
  birthHeight: 50,

  // agents/claude/registry.ts
  /** A registry file has some hundred bytes. */
  registryBytes: 1024 * 1024,

  // teams/in-turn.ts
  /** Between two starts: enough for one client to have its refresh token before the next asks for one. */
  startGapMs: 500,

  // names/managed-id.ts, agents/claw/
  /** A file name may have 255 bytes; what is rotated, locked or trashed adds to it. */
  managedIdLength: 100,
  /** Read whole: clients rotate theirs long before, and a larger one would stall every list. */
  managedBytes: 256 * 1024 * 1024,
  /** Of a first prompt or branch name: what fits a table. */
  managedPromptLength: 200,
  managedBranchLength: 100,
  /** Tool inputs are text, so real records are flat; deeper ones would only exhaust the stack. */
  managedDepth: 100,
  /** Of one file; the rest is a number. */
  managedProblems: 10,
  /** An append holds a session for milliseconds: who has it this long works in it. */
  managedHeldMs: 5_000,

  // git/
  /** A status of a large worktree takes some hundred milliseconds; nobody waits for a dead file system. */
  gitMs: 2_000,
  /** For all folders of one list together. */
  gitAllMs: 4_000,
  gitAtOnce: 4,
  /** A hundred thousand changed files. */
  gitOutputBytes: 16 * 1024 * 1024,

  // transcripts/search.ts, fleet/search.ts
  /** A shorter piece of plain letters stands in every line: a rare character behind an escape tells more. */
  searchMarkLength: 3,
  /** Folder, branch and ids stand before a record's message; a path alone may have 4096 bytes. */
  searchFlatBytes: 16 * 1024,
  searchQueryLength: 1_000,
  /** A second thread takes about 50 ms to start. */
  searchSecondBytes: 128 * 1024 * 1024,
  searchSecondPollMs: 2,
  /** Shown if nobody says how many: more than a screen is no answer. */
  searchHits: 30,
  /** Of one session, so that a long one does not hide the others. */
  searchHitsPerSession: 5,
  /** Of text on either side of what was found. */
  searchContextLength: 60,

  // cli/sessions-show.ts
  /** Of the beginning and the end of a conversation. */
  shownMessages: 3,

  // cli/sessions-table.ts
  /** However narrow the screen is, so much of a title is shown. */
  leastTitleColumns: 16,
  branchColumns: 20,
  folderColumns: 28,

  // fleet/lifecycle.ts
  /** Work that lay on the table over a weekend is not abandoned yet. */
  abandonedDays: 7,

  // teams/look-again.ts
  /** After a change: a client that starts tells within seconds; one that has not by the last look needs a person. */
  lookAgainSeconds: [5, 15, 30] as readonly number[],

  // teams/respawn.ts
  /** A tmux that was woken has collected its children within milliseconds. */
  endNoticedMs: 3_000,

  // reconcile/
  /** Between the two looks that destroying needs: longer than any rename, respawn or rewrite of a file takes. */
  secondLookMs: 500,
  /** How old a look may be for the next step: our own steps take some milliseconds each. */
  freshLookMs: 200,
  /** A repair may bring another to light; what is still there then comes back by itself. */
  repairRounds: 3,
  /** For a team that another command is changing: long enough for a quick one, not for a start. */
  repairLockMs: 1_000,
  /** A team file is written by hand. */
  teamFileBytes: 1024 * 1024,

  // agents/claude/offline-fork.ts, moved-lines.ts
  /** A transcript that is copied or rewritten is read whole; a client is slow with one half as large. */
  offlineBytes: 256 * 1024 * 1024,
  branchNameLength: 100,

  // stores/put-aside.ts
  /** What lies in the trash, or is kept, says where it came from in a page. */
  manifestBytes: 1024 * 1024,

  // stores/queues.ts, messages/
  /** Of one message, with its line breaks escaped: a person's whole log file, but no archive. */
  messageBytes: 256 * 1024,
  /** A delivery takes some twelve seconds at most, and holds its queue for so long. */
  drainLockMs: 30_000,
  /** For somebody else's delivery: a quick one is waited for, behind a slow one the message is queued. */
  sendLockMs: 2_000,
  /** A client wrote down what it was told within this time, or it was not told. */
  settleMs: 20_000,
  /** Of a message in a receipt or a table: enough to know it again. */
  messageExcerpt: 60,
  /** Uncertain messages are shown this long: by then a person has looked, or never will. */
  uncertainShownMs: 24 * 60 * 60 * 1000,
  /** Between two looks at an agent that somebody waits for. */
  waitPollMs: 250,
  /** A dialog swallows keys while it is drawn. */
  dialogRestMs: 400,
  /** A dialog that is not drawn by then, or never stands still, is none to answer. */
  dialogSteadyMs: 3_000,
  /** An answered dialog is gone within a moment. */
  dialogGoneMs: 3_000,
  /** Agents that are told something at the same time. */
  broadcastAtOnce: 8,
  /** A task is written by hand, or by an agent. */
  taskBytes: 4 * 1024 * 1024,

  // watch/
  /** Between two looks when no file changed: tmux itself tells nobody what people do in it. */
  watchTickSeconds: 10,
  /** After a first change: the others of one act follow within this time, and are one turn with it. */
  watchSettleMs: 200,
  /** From one turn to the next, however much changes. */
  watchGapMs: 1_000,
  /** So many times as long as a look took nobody looks again: a share of a core, whatever the fleet's size. */
  watchRestAfterChange: 20,
  watchRestAfterTick: 80,
  /** A look that hung for long shall not make everything wait for minutes. */
  watchRestCapMs: 60_000,
  /** What a person does in a row is one autosave. */
  autosaveGapMs: 15_000,
  /** A day of work on a fleet that changes every few minutes. */
  autosaves: 50,
  /** What could not be settled, or said, is tried again: it waits for something that takes a person a while. */
  watchAgainMs: 30_000,
  /** Auditing reads every store, which a look does not. */
  watchReconcileMs: 60_000,
  /** Telling a person takes milliseconds; a program that hangs must not keep the next ones waiting. */
  notifyMs: 10_000,
  /** Of what nobody was told yet: a whole fleet that ends at once. */
  notifyWaiting: 200,
  notifyTextLength: 300,
  /** Names in a status bar; the rest is a number. */
  statuslineNames: 3,
} as const;
