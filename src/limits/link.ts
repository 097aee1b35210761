// Limits of a fleet over many hosts.

const hourMs = 3600 * 1000;

export const linkLimits = {
  // link/subjects.ts
  /** The server removes a lease this long after its last renewal: later than its host itself counts it as lost. */
  leaseGoneMs: 15_000,
  /** A server reserves the bytes of its streams on the disk when it makes them. */
  fleetEventBytes: 64 * 1024 * 1024,
  fleetEventAgeMs: 7 * 24 * hourMs,
  mailBytes: 64 * 1024 * 1024,
  /** Older words would surprise whoever gets them. */
  mailAgeMs: 24 * hourMs,
  fateBytes: 16 * 1024 * 1024,
  copyBytes: 1024 * 1024 * 1024,
  copyAgeMs: 30 * 24 * hourMs,
  /** A team that is moved is fetched at once, or not at all. */
  boxAgeMs: 24 * hourMs,
  boxesBytes: 2 * 1024 * 1024 * 1024,

  // link/teams/
  boxPartBytes: 32 * 1024 * 1024,
  boxParts: 1_000,

  // link/copies/
  /** Of a transcript, before it is compressed. A part stays below a server's 1 MB even if it does not compress. */
  copyPartBytes: 512 * 1024,
  /** Of all copied transcripts of a host, before they are compressed: a fifth of that fits into a quarter of the stream. */
  copyHostBytes: 1024 * 1024 * 1024,
  /** Between two looks at the copied teams. */
  copyLookMs: 3_000,
  /** A conversation without a transcript gets one with its first words. */
  copyAgainMs: 30_000,
  /** The server forgets the oldest parts when it is full: they are looked for this often, and sent again. */
  copyCheckMs: 10 * 60 * 1000,
  /** Of a copied team without its transcripts. */
  farTeamBytes: 16 * 1024 * 1024,
  /** The same, compressed. Servers refuse above 1 MB. */
  farTeamPackedBytes: 900 * 1024,
  /** A host that takes a team over and says nothing for so long was killed. */
  takeoverMs: 15 * 60 * 1000,

  // cli/fleet/
  /** NATS's own. */
  natsPort: 4222,
  /** All streams together, with room for the buckets. */
  fleetStoreBytes: 8 * 1024 * 1024 * 1024,
  /** Between two looks at the users of the server. */
  fleetUsersMs: 1_000,
  /** A server takes in a new user within milliseconds, unless the machine is busy. */
  fleetKnownTries: 30,
  fleetKnownMs: 100,
  /** A clock that differs more makes times of different hosts hard to compare. */
  clockDifferenceMs: 2_000,

  // stores/link/
  /** A certificate, a password or a `.creds` file has a few kilobytes. */
  secretBytes: 64 * 1024,
} as const;
