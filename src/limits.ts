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

  // tmux/
  /** A server that takes longer is hung: say so instead of hanging with it. */
  tmuxTimeoutMs: 10_000,
  tmuxOutputBytes: 64 * 1024 * 1024,
  /** `send-keys -l` fails above about 16,000 bytes, so longer text goes through a buffer. */
  sendKeysBytes: 8_000,
} as const;
