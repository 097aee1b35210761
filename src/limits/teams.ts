// Bounds of starting, moving and watching teams.

export const teamLimits = {
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
  /** A question that is known by name stands there for good: long enough to be drawn whole. */
  startQuestionMs: 500,
  /** Of an ended program: enough for its error, not for its whole screen. */
  lastWordsLines: 6,
  /** A client that was told to end tidies up within a second or two; then it is killed. */
  endMs: 10_000,

  // teams/spawn.ts
  /** Where panes would become smaller than this an agent gets a window of its own. */
  spawnColumns: 60,
  spawnRows: 12,

  // teams/in-turn.ts
  /** Between two starts: enough for one client to have its refresh token before the next asks for one. */
  startGapMs: 500,

  // teams/look-again.ts
  /** After a change: a client that starts tells within seconds; one that has not by the last look needs a person. */
  lookAgainSeconds: [5, 15, 30] as readonly number[],

  // teams/respawn.ts
  /** A tmux that was woken has collected its children within milliseconds. */
  endNoticedMs: 3_000,

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

  // up/
  /** Rounds in which agents that ended at once are started again: by then it is a crash loop. */
  upRounds: 3,
  /** Before the second round; it doubles, up to the cap. */
  upBackoffMs: 1_000,
  upBackoffCapMs: 30_000,
  /** Behind a round of those: a program that ends at once has ended by then. */
  upSettleMs: 500,
  /** A role prompt goes through one tmux command with everything else; files are larger only by mistake. */
  upPromptBytes: 1024 * 1024,
  /** How long `down` waits for agents that work, if nobody says how long. */
  leaveMs: 30_000,
  /** A client that took `/exit` is gone within a moment. */
  leaveExitMs: 5_000,
  /** For the first answer of an agent that another one begins as a fork of. */
  forkParentMs: 60_000,

  // git/worktree-change.ts
  /** Of files that git ignores, so many are named. */
  ignoredNames: 5,

  // watch/heal.ts
  /** A crashed agent is brought back so often within the window; then a person is called. */
  heals: 5,
  healWindowMs: 10 * 60 * 1000,
  healCapMs: 60_000,

  // teamfile/
  /** The deepest a team file goes is five. */
  teamFileDepth: 20,
  /** With every alias unfolded: aliases of aliases would unfold without end. */
  teamFileValues: 20_000,
  teamFileAgents: 200,
  /** A page; a file that is no team file has one a line. */
  teamFileProblems: 50,
} as const;
