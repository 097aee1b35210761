// Bounds of looking, laying out, talking and repairing.

export const fleetLimits = {
  // fleet/
  /** A conversation that was written to this recently is going on. */
  liveAgeMs: 120_000,
  /** Shells in shells in tools: deeper than any real nesting, and an end for a table that changes meanwhile. */
  ancestors: 256,
  /** A transcript older than this is not believed for a pane's context unless it is the pane's own session. */
  contextAgeMs: 600_000,

  // fleet/panes.ts
  /** A tmux that was woken has collected its children within milliseconds. */
  endNoticeRestMs: 30,

  // fleet/probe.ts
  /** Clients have taken an Enter that comes at once for a part of the text. */
  probeRestMs: 300,
  probePollMs: 50,
  /** Typed text is drawn within milliseconds; a machine that swaps takes longer. */
  probeEchoMs: 3_000,
  /** The client asks npm for its newest version before it shows its status. */
  probeDialogMs: 10_000,

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
  /** A command that is taken back takes a few rows at most; one C-u removes one. */
  takeBackPresses: 12,
  slashCommandLength: 2_000,
  /** Of what a transcript got behind a message: its record is among the first. */
  proofBytes: 16 * 1024 * 1024,

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

  // fleet/lifecycle.ts
  /** Work that lay on the table over a weekend is not abandoned yet. */
  abandonedDays: 7,

  // reconcile/
  /** Between the two looks that destroying needs: longer than any rename, respawn or rewrite of a file takes. */
  secondLookMs: 500,
  /** How old a look may be for the next step: our own steps take some milliseconds each. */
  freshLookMs: 200,
  /** A repair may bring another to light; what is still there then comes back by itself. */
  repairRounds: 3,
  /** For a team that another command is changing: long enough for a quick one, not for a start. */
  repairLockMs: 1_000,
  /** Some hundred agents with comments. What is larger was not written by hand, and YAML can be made slow to read. */
  teamFileBytes: 128 * 1024,
  /** As many as Linux follows. */
  teamFileLinks: 40,

  // layout/sizes.ts
  /** The least size of a locked team, unless it is said; and what a collapsed one gets. */
  floorWidth: 80,
  floorHeight: 40,
  /** Nobody can read, and no agent can draw, in less. */
  collapsedWidth: 20,
  collapsedHeight: 5,
  /** A terminal that is being opened is small for a moment. */
  collapsedClientMs: 2_000,
  /** Who only looks presses no key: after so long, in a terminal below the floor, nobody does. */
  staleClientMs: 10 * 60 * 1000,
} as const;
