// Limits of reading and writing: names, files, programs and their output.

export const outsideLimits = {
  // names/
  /** tmux accepts any length; a name must fit into a status bar and a file name with room to spare. */
  teamNameLength: 64,
  roleLength: 40,
  projectLength: 40,
  hostLength: 64,
  /** A path may have 4096 bytes on Linux; no valid field is longer. */
  fieldLength: 4096,

  // base/files/lock.ts
  /** A writer holds a lock for a few milliseconds. A living holder that keeps it this long is stuck. */
  lockWaitMs: 10_000,
  lockPollMs: 4,
  lockPollCapMs: 40,

  // base/system/unit/
  /** A manager waits until a unit has ended, which may be in the middle of a delivery; one that takes longer hangs. */
  unitMs: 45_000,
  /** Between two looks at a unit that is starting. */
  unitLookMs: 200,

  // stores/
  /** A longer line is foreign: kept unchanged, reported, never parsed. */
  rowBytes: 64 * 1024,
  /** Stores are small text files. A larger one was not written by us, and reading it would stall every command. */
  storeBytes: 16 * 1024 * 1024,
  /** Parsing a row takes microseconds, and a command reads a store several times. No fleet has this many panes. */
  storeLines: 150_000,
  /** The maximum number of queued messages, each of maximum size, with escapes. */
  queueBytes: 64 * 1024 * 1024,
  /** Written for a moment to check for free space: rows grow by a few bytes, and a large store costs time. */
  leastRoomBytes: 4096,
  mostRoomBytes: 1024 * 1024,
  logRotateBytes: 1024 * 1024,
  /** More queued messages for one agent mean that it does not read them. */
  queueRows: 50,
  queueAgeSeconds: 3600,
  /** A stamp further ahead is a mistake, not one from before the clock was set back. */
  clockBackSeconds: 24 * 3600,
  /** A few hundred panes, each with a title, a folder and a command. */
  layoutBytes: 4 * 1024 * 1024,
  snapshotBytes: 16 * 1024 * 1024,
  /** A hook's report contains at most the agent's last words. */
  hookReportBytes: 1024 * 1024,
  forkChunkBytes: 1024 * 1024,
  /** Reported rows per file: a log full of garbage would fill the memory. */
  forkProblems: 1_000,
  /** Any log of this size is read within a second. */
  forkQuickBytes: 8 * 1024 * 1024,
  /** For a larger log: this many lines, where a line with new content counts as several. Also about a second. */
  forkWork: 1_500_000,
  forkNewWork: 20,
  /** Distinct texts of one column that are validated once; enough for all panes and sessions of a fleet. */
  rememberedFields: 20_000,

  // tmux/
  /** A server that takes longer hangs: report it instead of hanging too. */
  tmuxTimeoutMs: 10_000,
  tmuxOutputBytes: 64 * 1024 * 1024,
  /** One Ctrl-C hits one child; a held key hits a few. */
  tmuxBirths: 4,

  // sockets/
  /** A local reader takes a message within milliseconds. */
  postTimeoutMs: 3_000,

  // processes/
  /** ps answers from memory; if it takes longer, it hangs on a dead file system. */
  psTimeoutMs: 10_000,
  psOutputBytes: 16 * 1024 * 1024,

  // transcripts/
  /** Bytes per read: most transcripts in one piece, and small enough for the processor's cache. */
  transcriptBlockBytes: 2 * 1024 * 1024,
  /** A longer line gives no fact, so that no line can demand unbounded memory. */
  transcriptLineBytes: 16 * 1024 * 1024,
  /** Parsing a line of megabytes (an image, a pasted file) to learn the time of the next one is not worth it. */
  transcriptPlainBytes: 256 * 1024,
  /** The client's own errors are far shorter; longer records are classified by their type alone. */
  transcriptTurnBytes: 16 * 1024,
  /** Characters of the last error or answer: enough to see what it is about. */
  transcriptWords: 120,
  /** Bytes to read from the end of a transcript without an index: first a little, then more. */
  transcriptTailBytes: [64 * 1024, 4 * 1024 * 1024],
  /** The output of a client's command is shorter; longer records are not checked for it. */
  transcriptCommandBytes: 2 * 1024,
  /** A second thread takes about 50 ms to start: worth it for a first read, not for updates. */
  transcriptWorkerBytes: 128 * 1024 * 1024,
  /** For one that is already there. */
  transcriptKeptWorkerBytes: 4 * 1024 * 1024,
  /** How long an idle second thread waits for more work. */
  transcriptThreadMs: 1_000,
  /** Messages of so many bytes of transcripts are held at once: some megabytes of ids and times. */
  kinshipBatchBytes: 128 * 1024 * 1024,
  /** The messages of a family that was written to this recently are cached: it will soon be read again. */
  chainFreshMs: 24 * 3600 * 1000,
  /** How long reading may block the event loop: progress is drawn, Ctrl-C handled and results passed on in between. */
  transcriptStretchMs: 40,
  /** Compared at both ends of the part read before, to check that a file only grew. */
  transcriptSampleBytes: 1024,
  /** File times tick every 4 to 10 ms: a file written this shortly before a look may change without a new time. */
  transcriptRacyMs: 25,
  /** So many sessions are looked up by name in each project folder; for more, the folders are listed. */
  lookedUpSessions: 8,
  /** So many paths are searched in the cached columns, each in all texts; then a table of all paths is made. */
  columnSearches: 16,
  /** For fewer bytes, reading them again is cheaper than writing the cache. */
  transcriptSaveBytes: 1024 * 1024,
  /** How long a client's records may take to reach the disk: 15 seconds have been seen. */
  recordsSettleMs: 30_000,
  /** Some file systems keep the times of folders in steps of two seconds. */
  folderSettleMs: 2_000,
  /** A list of one folder relies on a look at every file for so long: some program may do more than append. */
  fullLookMs: 3600 * 1000,
  /** From relatives in one folder to those in another, and so on: real families are in two or three. */
  linkRounds: 8,
  /** With more recorded parents, following them takes longer than a look at every file. */
  linkedSessions: 20_000,
  /** `session_id` is searched in the beginning only: a session that inherits has it there. */
  transcriptHeadMessages: 16,
  /** The last answer of a client that writes `session_id` is within this many records. */
  transcriptTailRecords: 8,
  /** A session compacted every day reaches this after months, when its early forks are long forgotten. */
  transcriptBoundaries: 100,
  /** A client checkpoints its database every few megabytes of changes: a second copy nearly always succeeds. */
  databaseCopies: 5,
  /** A copy lives for less than a second; a swapping machine takes longer. */
  databaseCopyMs: 600_000,
  /** Each look after a change copies the database: a larger one would stall every command. */
  databaseBytes: 4 * 1024 * 1024 * 1024,
  /** A few hundred bytes per transcript: a larger cache was not written by us. */
  transcriptCacheBytes: 256 * 1024 * 1024,
  /** Clients delete transcripts after 30 days by default; chains of deleted ones are not kept for ever. */
  transcriptChainDays: 30,
  /** An active conversation is read often, and each read would write the cache again. */
  kinshipQuietMs: 60_000,
  /** A file is created when its first message is written, give or take a slow disk. */
  transcriptBirthSlackMs: 5_000,
  /** A record is on disk this soon after it was made, where birth times must prove its author. */
  transcriptWriteMs: 1_000,
  /** The records at the beginning of a prompt are this close together. */
  transcriptTurnMs: 200,

  // agents/claude/hooks/, stores/hook-reports.ts
  /** Of a hook's input. More is a pasted file, which says nothing about the session. */
  hookInputBytes: 64 * 1024,
  /** The handler takes a few milliseconds; a client does not wait longer for one that hangs. */
  hookTimeoutSeconds: 5,
  /** A report that was not used within a day is no evidence any more. */
  hookReportAgeMs: 24 * 60 * 60 * 1000,
  /** Of a permission request, with the whole new file that an agent wants to write. */
  requestBytes: 1024 * 1024,
  /** A person who was away for a night can still answer; then only the dialog waits. */
  requestSeconds: 24 * 3600,
  /** The handler writes its file some milliseconds after its client began to wait; never so long before. */
  requestStartMs: 500,
  /** The worker holds a new request within milliseconds. */
  requestHoldSeconds: 2,
  requestHoldPollMs: 25,
  /** A settings file is written by hand. */
  settingsBytes: 4 * 1024 * 1024,
  settingsDepth: 100,

  // agents/claude/mcp/
  /** The client's own file, with the state of every project. */
  clientConfigBytes: 64 * 1024 * 1024,
  /** It changes a file; a client takes half a second to start. */
  clientCommandMs: 30_000,

  // agents/claude/registry.ts
  /** A registry file has a few hundred bytes. */
  registryBytes: 1024 * 1024,
  /** The client rewrites its file in place, in far less than a millisecond unless the machine is busy. */
  registryAgain: 4,
  registryAgainMs: 3,

  // names/managed-id.ts, agents/claw/
  /** A file name may have 255 bytes; rotating, locking and archiving add to it. */
  managedIdLength: 100,
  /** Read as a whole: clients rotate theirs long before, and a larger one would stall every list. */
  managedBytes: 256 * 1024 * 1024,
  /** Of a first prompt or branch name: what fits into a table. */
  managedPromptLength: 200,
  managedBranchLength: 100,
  /** Tool input is text, so real records are flat; deeper ones would only exhaust the stack. */
  managedDepth: 100,
  /** Per file; the rest is a number. */
  managedProblems: 10,
  /** An append holds a session for milliseconds: a process that holds it this long works in it. */
  managedHeldMs: 5_000,

  // fleet/sessions/managed-list.ts
  /** claw creates its session before its first prompt; a slow machine needs seconds to start it. */
  clawStartMs: 10_000,
  /** Longer lists of arguments are rarely those of several processes. */
  sharedArgumentsLength: 200,
  /** A start is reported a few ticks of 10 ms late, plus the time between two reads on a loaded machine. */
  processStartSlackMs: 100,

  // git/
  /** A status of a large worktree takes a few hundred ms; a dead file system is not waited for. */
  gitMs: 2_000,
  /** For all folders of one list together. */
  gitAllMs: 4_000,
  gitAtOnce: 4,
  /** A hundred thousand changed files. */
  gitOutputBytes: 16 * 1024 * 1024,

  // transcripts/search/search.ts, fleet/sessions/search.ts
  /** A shorter run of plain letters is in every line: a rare character after an escape is more selective. */
  searchMarkLength: 3,
  /** Folder, branch and ids come before a record's message; a path alone may have 4096 bytes. */
  searchFlatBytes: 16 * 1024,
  searchQueryLength: 1_000,
  /** A second thread takes about 50 ms to start. */
  searchSecondBytes: 128 * 1024 * 1024,
  searchSecondPollMs: 2,
  /** The default number of matches: about one screen. */
  searchHits: 30,
  /** Per session, so that a long one does not hide the others. */
  searchHitsPerSession: 5,
  /** Characters on either side of a match. */
  searchContextLength: 60,

  // agents/claude/transcript/offline-fork.ts, moved-lines.ts
  /** A transcript that is copied or rewritten is read as a whole; a client is slow with one half as large. */
  offlineBytes: 256 * 1024 * 1024,
  branchNameLength: 100,

  // stores/file/session-archive.ts
  /** The manifest of an archived session records where its files came from. */
  manifestBytes: 1024 * 1024,

  // stores/queues.ts, messages/
  /** Per message, with escaped line breaks: a whole log file, but no archive. */
  messageBytes: 256 * 1024,
  /** A delivery takes about twelve seconds at most and holds its queue that long. */
  drainLockMs: 30_000,
  /** For another process's delivery: a quick one is waited for, behind a slow one the message is queued. */
  sendLockMs: 2_000,
  /** A client records a message within this time, or it did not get it. */
  settleMs: 20_000,
  /** Of a message in a receipt or a table: enough to recognise it. */
  messageExcerpt: 60,
  /** Uncertain messages are shown this long; after that the user has looked, or never will. */
  uncertainShownMs: 24 * 60 * 60 * 1000,
  /** Between two looks at an agent while waiting for it. */
  waitPollMs: 250,
  /** A dialog swallows keys while it is drawn. */
  dialogRestMs: 400,
  /** A dialog that is not fully drawn and stable after this time is not answered. */
  dialogSteadyMs: 3_000,
  /** An answered dialog closes within a moment. */
  dialogGoneMs: 3_000,
  /** An arrow key takes effect within a moment; a swallowed one never does. */
  dialogMovedMs: 1_000,
  /** In fewer rows the newest client cuts off its input box; in fewer columns a dialog is unreadable. */
  boxRows: 10,
  boxColumns: 20,
  /** Enough for any dialog with its options. */
  roomyRows: 24,
  /** A longer list is for a person, and so is a cursor that wraps around for ever. */
  dialogMoves: 30,
  /** Agents that get a broadcast at the same time. */
  broadcastAtOnce: 8,
  /** A task is written by a person or an agent. */
  taskBytes: 4 * 1024 * 1024,

  // git/worktree-change.ts
  /** A checkout of a large repository, including its hooks. */
  gitCheckoutMs: 120_000,

  // ssh/, hosts/
  /** Until a host answers at all; ssh itself would wait for minutes. */
  sshConnectSeconds: 10,
  /** After three such silences a connection counts as dropped. */
  sshAliveSeconds: 5,
  /** Kept characters of ssh's error output: its last line has the reason. */
  sshWordsLength: 8_000,
  /** ssh ends at once after it has closed its output. */
  sshEndMs: 5_000,
  /** Its error output is read at once when it ends; a child process may hold its stderr for ever. */
  sshLastWordsMs: 500,
  /** A far hivemind greets within a second after the login script, and sends signs of life during all work. */
  farSilenceMs: 30_000,
  farAliveMs: 5_000,
  /** A far hivemind always has some progress to report; summing up a bundle of gigabytes takes minutes. */
  farOnlyAliveMs: 5 * 60_000,
  /** Output of a far login script before the greeting. */
  farNoiseBytes: 64 * 1024,
  /** One message: the manifest of a bundle has one line per file. */
  wireLineBytes: 16 * 1024 * 1024,
  /** A slow but living connection transfers this much within the allowed silence. */
  wirePieceBytes: 64 * 1024,
  /** A bundle has one file per conversation. */
  boxFiles: 20_000,
  boxFileBytes: 4 * 1024 * 1024 * 1024,
  /** All files of a bundle together: more than a disk should be filled with. */
  boxBytes: 16 * 1024 * 1024 * 1024,
  /** An incomplete last line is searched in this much of a transcript's end per step. */
  boxTailBytes: 1024 * 1024,
  /** For another process that receives the same bundle. */
  boxLockMs: 2_000,
  /** A team that is moved away should be left alone; a change or two during a long transfer is an accident. */
  migrateTurns: 4,

  // screen/, viewer/
  /** A hanging screen costs a caller this much, so that a command stays below two seconds. */
  screenTimeoutMs: 1_200,
  /** Per query: screen sometimes misses that it was answered and would wait for ever. Normally milliseconds. */
  screenAttempts: 3,
  screenOutputBytes: 1024 * 1024,
  screenPollMs: 10,
  /** The leftovers of a query are removed in milliseconds, or not at all. */
  screenSweepMs: 300,
  /** screen numbers its windows from 0 to 99. */
  viewerWindows: 100,
  /** A tmux client attaches within milliseconds; a swapping machine takes longer. */
  viewerAttachMs: 3_000,
  viewerPollMs: 25,
  /** A selected window, or a session that was asked to end, follows at once. */
  viewerFollowMs: 1_000,
  /** For another process that changes the windows and waits for their clients. */
  viewerLockMs: 5_000,
  /** A viewer that hangs does so until the user notices. */
  viewerAgainMs: 30_000,
  /** This much of a shortened title is no coincidence. */
  viewerTitleLength: 16,

  // stores/stores.ts
  /** Per file; a foreign file has nothing but bad rows. */
  badRowsTold: 5,

  // agents/claude/cleanup.ts
  /** The client's own default, if its settings have no value. */
  transcriptDays: 30,
  /** The last time that a date can represent; users write huge numbers for "never". */
  latestTimeMs: 8_640_000_000_000_000,
} as const;
