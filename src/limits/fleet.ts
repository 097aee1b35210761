// Limits of looking, laying out, messaging and repairing.

export const fleetLimits = {
  // fleet/
  /** A conversation written to this recently is live. */
  liveAgeMs: 120_000,
  /** Shells in shells in tools: deeper than any real nesting, and a bound in case the table changes meanwhile. */
  ancestors: 256,
  /** An older transcript does not count for a pane's context, unless it is the pane's own session. */
  contextAgeMs: 600_000,

  // fleet/panes.ts
  /** A tmux that was woken reaps its children within milliseconds. */
  endNoticeRestMs: 30,

  // tmux/listing.ts
  /** A server without panes ends within milliseconds. */
  endingTries: 20,

  // fleet/identity/probe.ts
  /** Clients have taken an immediate Enter as part of the text. */
  probeRestMs: 300,
  probePollMs: 50,
  /** Typed text is drawn within milliseconds; a swapping machine takes longer. */
  probeEchoMs: 3_000,
  /** The client asks npm for its newest version before it shows its status. */
  probeDialogMs: 10_000,

  // messages/
  /** Clients have taken an immediate Enter as part of the paste before it. */
  deliverRestMs: 300,
  /** The last look at the box takes about this long, so it begins this much before Enter. */
  deliverLookMs: 25,
  deliverPollMs: 50,
  /** Gemini CLI takes an Enter within 40 ms of a paste as a line break. */
  geminiPasteRestMs: 120,
  /** Pasted text is drawn within milliseconds; a swapping machine takes longer. */
  deliverEchoMs: 3_000,
  /** An idle client turns busy at once, and records the message within a second or two. */
  deliverProofMs: 8_000,
  /** For the record of a request: clients write their records together, a fraction of a second later. */
  askedRecordMs: 2_000,
  /** A client takes its hook's answer at once, and records it within a second or two. */
  decideProofMs: 8_000,
  /** A client reads its inbox at once; a swapping machine takes seconds. After this nothing is known. */
  inboxProofMs: 30_000,
  /** Between two looks at whether the client still runs, and still in the same conversation. */
  inboxLookMs: 500,
  /** A client that changed its conversation has written what it enqueued before by then. */
  inboxChangedMs: 2_000,
  /** The client's own limits are 30 at once and one per two seconds. Its clock and ours differ a little. */
  inboxBurst: 24,
  inboxEveryMs: 2_200,
  /** Characters of a line; the client drops a longer one. */
  inboxLineLength: 1_048_575,
  /** A client that drops a message this often drops it always. */
  inboxTries: 3,
  /** If the beginning of a message has scrolled out of its box, this much of its end is no coincidence. */
  deliverTailLength: 40,
  /** A command to remove has a few rows at most; one C-u removes one. */
  takeBackPresses: 12,
  slashCommandLength: 2_000,
  /** Of a transcript after the message was sent: the message's record is among the first. */
  proofBytes: 16 * 1024 * 1024,

  // layout/
  /** Larger than any wall of screens; tmux itself stops at 10,000. */
  layoutSide: 2_000,
  /** Panes per window, and windows: no real screen has more. */
  layoutPanes: 200,
  layoutWindows: 200,
  layoutStringLength: 16_000,
  /** For a window that no client shows yet: wide enough for an agent's dialogs. */
  birthWidth: 200,
  birthHeight: 50,

  // fleet/sessions/lifecycle.ts
  /** Work that was left over a weekend is not abandoned yet. */
  abandonedDays: 7,

  // reconcile/
  /** Between the two looks before anything is destroyed: longer than any rename, respawn or file rewrite takes. */
  secondLookMs: 500,
  /** How old a look may be for the next step: our own steps take a few milliseconds each. */
  freshLookMs: 200,
  /** A repair may reveal another problem; one that is left after these rounds keeps coming back. */
  repairRounds: 3,
  /** For a team that another command is changing: long enough for a quick command, not for a start. */
  repairLockMs: 1_000,
  /**
   * A few hundred agents with comments. A larger file was not written by hand, and YAML can be made slow to parse.
   */
  teamFileBytes: 128 * 1024,
  /** As many as Linux follows. */
  teamFileLinks: 40,

  // layout/sizes.ts
  /** The default minimum size of a locked team, and the new size of a collapsed one. */
  floorWidth: 80,
  floorHeight: 40,
  /** In a smaller window, users cannot read and agents cannot draw. */
  collapsedWidth: 20,
  collapsedHeight: 5,
  /** A terminal that is being opened is small for a moment. */
  collapsedClientMs: 2_000,
  /** A read-only client never types. After this long in a terminal below the minimum, assume nobody is watching. */
  staleClientMs: 10 * 60 * 1000,
} as const;
