// Limits of a host's part in its fleet: its lease, its claims and its rows.

export const leaseLimits = {
  // link/lease.ts
  leaseRenewMs: 5_000,
  /** A renewal that failed is tried again after this. */
  leaseAgainMs: 1_000,
  /** Older than this it is lost for its host. The server removes it later: others never see it expire first. */
  leaseFreshMs: 10_000,
  /** A lease of another instance under our name is looked at again after this. */
  leaseTakenMs: 5_000,
  // link/claims.ts
  /** A start may take a minute: until then nobody but the command itself gives its claim back. */
  claimSettleMs: 180_000,
  /** A command that takes longer from its claim to the start of the program stood still: its claim may be gone. */
  claimStartMs: 90_000,
  /** Two hosts at once need two tries; more means that something writes all the time. */
  claimTries: 5,
  // link/rows.ts
  /** A row of another host is a few hundred bytes. */
  farRowBytes: 8 * 1024,
  /** Of one text in such a row. */
  farTextLength: 256,
  // link/publish.ts
  /** A sign of life that outlasts the lease, so that others can say since when a host is gone. */
  signMs: 600_000,
  /** Events that are published at once. */
  publishAtOnce: 32,
  // link/follow-hosts.ts
  /** A host without a lease is shown as not reached at most this much later. */
  farHostsReadMs: 3_000,
  /** A face that shows hundreds of hosts is painted twice a second at most. */
  farGatherMs: 500,
  // cli/fleet
  fleetReadMs: 5_000,
} as const;
