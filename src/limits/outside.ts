// Bounds of what reads and writes: names, files, programs and their answers.

export const outsideLimits = {
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
  storeBytes: 16 * 1024 * 1024,
  /** A row takes microseconds, and a command reads a store several times. No fleet has so many panes. */
  storeLines: 150_000,
  /** As many messages as may wait, each as large as may be, and what is escaped in them. */
  queueBytes: 64 * 1024 * 1024,
  /** The contents of several queues at once. */
  journalBytes: 256 * 1024 * 1024,
  /** What is written for a moment to see that there is room: rows grow by some bytes, and a large store costs time. */
  leastRoomBytes: 4096,
  mostRoomBytes: 1024 * 1024,
  logRotateBytes: 1024 * 1024,
  /** More than this waiting for one agent means that nobody reads them. */
  queueRows: 50,
  queueAgeSeconds: 3600,
  /** A stamp that is further ahead is somebody's mistake, not one from before the clock was set back. */
  clockBackSeconds: 24 * 3600,
  /** Some hundred panes, each with a title, a folder and a command. */
  layoutBytes: 4 * 1024 * 1024,
  snapshotBytes: 16 * 1024 * 1024,
  /** A hook's report carries the agent's last words at most. */
  hookReportBytes: 1024 * 1024,
  forkChunkBytes: 1024 * 1024,
  /** Rows of one file that are named: a log full of rubbish would fill the memory with it. */
  forkProblems: 1_000,
  /** Whatever stands in a log of this size, it is read within a second. */
  forkQuickBytes: 8 * 1024 * 1024,
  /** Of a larger one: so many lines, of which one that says something new counts as several. A second, too. */
  forkWork: 1_500_000,
  forkNewWork: 20,
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

  // transcripts/
  /** What is read at once: large enough that a call costs nothing, small enough to stay in the processor's cache. */
  transcriptBlockBytes: 512 * 1024,
  /** A longer line gives no fact at all, so that no line can ask for unbounded memory. */
  transcriptLineBytes: 16 * 1024 * 1024,
  /** Parsing a line of megabytes (an image, a pasted file) to learn the time of the next one is not worth it. */
  transcriptPlainBytes: 256 * 1024,
  /** An error of the client's own is far shorter: longer records are taken for what their type says. */
  transcriptTurnBytes: 16 * 1024,
  /** Characters of the last error or answer: enough to tell what it is about. */
  transcriptWords: 120,
  /** How far back the end of one transcript is looked for without an index: first a little, then more. */
  transcriptTailBytes: [64 * 1024, 4 * 1024 * 1024],
  /** What a command of the client prints is shorter: longer records are not looked at for it. */
  transcriptCommandBytes: 2 * 1024,
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
  /** The last answer of a client that writes `session_id` is among as many records. */
  transcriptTailRecords: 8,
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
  /** A record stands on disk this soon after it was made, where births have to prove who made it. */
  transcriptWriteMs: 1_000,
  /** The records that a prompt begins with are this close together. */
  transcriptTurnMs: 200,

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

  // agents/claude/registry.ts
  /** A registry file has some hundred bytes. */
  registryBytes: 1024 * 1024,

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

  // fleet/claw-panes.ts
  /** claw makes its session before its first prompt; a slow machine needs seconds to start it. */
  clawStartMs: 10_000,
  /** A start is told some ticks of 10 ms too late, and by the moment between two reads of a loaded machine. */
  processStartSlackMs: 100,

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
  /** An arrow key shows within a moment; one that was swallowed never does. */
  dialogMovedMs: 1_000,
  /** The newest client cuts its input box off in less; and a width in which a dialog says nothing. */
  boxRows: 10,
  boxColumns: 20,
  /** Enough for any dialog with its options. */
  roomyRows: 24,
  /** Longer lists are for a person, and so is a cursor that goes round and round. */
  dialogMoves: 30,
  /** Agents that are told something at the same time. */
  broadcastAtOnce: 8,
  /** A task is written by hand, or by an agent. */
  taskBytes: 4 * 1024 * 1024,

  // git/worktree-change.ts
  /** A checkout of a large repository, with the hooks that its owner has. */
  gitCheckoutMs: 120_000,

  // ssh/, moving/
  /** Until a host answers at all; ssh's own patience is minutes. */
  sshConnectSeconds: 10,
  /** Three such silences, and a connection counts as dropped. */
  sshAliveSeconds: 5,
  /** What is kept of ssh's own words: its last line tells. */
  sshWordsLength: 8_000,
  /** ssh that has closed its output ends at once. */
  sshEndMs: 5_000,
  /** Its last words are read at once when it ends; somebody it started may hold its stderr for ever. */
  sshLastWordsMs: 500,
  /** A far hivemind greets within a second, behind what a login script does, and says that it lives whatever it does. */
  farSilenceMs: 30_000,
  farAliveMs: 5_000,
  /** Whatever a far hivemind works on, it has something to tell of it; summing up a box of gigabytes takes minutes. */
  farOnlyAliveMs: 5 * 60_000,
  /** What a far login script prints before the greeting. */
  farNoiseBytes: 64 * 1024,
  /** One message: the page of a box has a line for every file of it. */
  wireLineBytes: 16 * 1024 * 1024,
  /** A slow line that lives takes so much within the time that a silence is suffered. */
  wirePieceBytes: 64 * 1024,
  /** A box has a file for every conversation in it. */
  boxFiles: 20_000,
  boxFileBytes: 4 * 1024 * 1024 * 1024,
  /** All files of a box together: more than any disk that a person carries teams to would like to be filled with. */
  boxBytes: 16 * 1024 * 1024 * 1024,
  /** A last line that is still being written is looked for in so much of a transcript's end, step by step. */
  boxTailBytes: 1024 * 1024,
  /** Whoever receives the same box is waited for no longer than this. */
  boxLockMs: 2_000,
  /** Whoever moves a team away leaves it alone; a change or two while much is sent is an accident. */
  migrateTurns: 4,

  // screen/, viewer/
  /** A screen that hangs costs a caller this much, and with it a command stays below two seconds. */
  screenTimeoutMs: 1_200,
  /** Of one question: screen at times overlooks that it was answered, and would wait for ever. It takes milliseconds. */
  screenAttempts: 3,
  screenOutputBytes: 1024 * 1024,
  screenPollMs: 10,
  /** What a question left behind is removed in milliseconds, or not at all. */
  screenSweepMs: 300,
  /** screen numbers its windows from 0 to 99. */
  viewerWindows: 100,
  /** A tmux client attaches within milliseconds; on a machine that swaps it takes longer. */
  viewerAttachMs: 3_000,
  viewerPollMs: 25,
  /** A window that was selected, or a session that was told to end, follows at once. */
  viewerFollowMs: 1_000,
  /** For somebody else who is changing its windows, and waits for their clients. */
  viewerLockMs: 5_000,
  /** A viewer that hangs hangs for as long as a person takes to notice. */
  viewerAgainMs: 30_000,
  /** So much of a title that came short is no coincidence. */
  viewerTitleLength: 16,

  // stores/stores.ts
  /** Of one file; one that is none of ours has nothing but bad rows. */
  badRowsTold: 5,

  // agents/claude/cleanup.ts
  /** The client's own default, where its settings do not say. */
  transcriptDays: 30,
  /** The last moment that a date can name; people write huge numbers for "never". */
  latestTimeMs: 8_640_000_000_000_000,
} as const;
