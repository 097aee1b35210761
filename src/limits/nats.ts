// Limits of the connection to a NATS server.

export const natsLimits = {
  // nats/
  /** A server on another continent answers within a second. */
  natsConnectMs: 5_000,
  natsAnswerMs: 5_000,
  /** A pass over a bucket that brings nothing for so long begins anew, at most so many times. */
  natsSilenceMs: 2_000,
  natsPasses: 4,
  natsReconnectMs: 1_000,
  /** Two lost pings end a connection: a cut network is noticed before a lease is old. */
  natsPingMs: 2_000,
  natsCloseMs: 2_000,
  /** The server knows the ids of the last messages for this long. */
  natsDuplicateMs: 120_000,
  /** A message that is not done by then comes again. */
  natsAckMs: 30_000,
  /** A message that could not be done comes again after this. */
  natsAgainMs: 2_000,
  natsUnderWay: 64,
  /** A consumer that lost its server asks again after this; it is asked for a sign twice as often. */
  natsPullMs: 5_000,
  natsBatch: 256,
  /** Servers refuse messages above 1 MB. */
  natsPieceBytes: 256 * 1024,

  // nats/run-server.ts
  /** Kept of what a server prints: its last lines have the reason of its end. */
  natsWordsLength: 8_000,
  /** A server that was asked to end writes its streams to the disk first. */
  natsEndMs: 10_000,
} as const;
