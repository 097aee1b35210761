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
  demoRedrawMs: 1_000,
  /** Three small programs on a loaded machine. */
  demoStartMs: 30_000,

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
  /** Some hundred bytes a transcript: a larger cache was not written by us. */
  transcriptCacheBytes: 256 * 1024 * 1024,
  /** Clients delete transcripts after 30 days by default; chains of deleted ones are not kept for ever. */
  transcriptChainDays: 30,
  /** A file is born when its first message is written, give or take a slow disk. */
  transcriptBirthSlackMs: 5_000,

  // fleet/
  /** A conversation that was written to this recently is going on. */
  liveAgeMs: 120_000,
  /** A transcript older than this is not believed for a pane's context unless it is the pane's own session. */
  contextAgeMs: 600_000,
} as const;
