// Limits of starting, moving and watching teams.

export const teamLimits = {
  // teams/start/start.ts, teams/start/end.ts, agents/claude/launch.ts
  /** tmux accepts about 16,000 bytes per command, including everything else in it. */
  promptBytes: 12_000,
  /** A client reports its session within seconds; a swapping machine takes longer. */
  startMs: 60_000,
  startPollMs: 100,
  /** A client draws its screen in some tenths of a second. */
  modeLooks: 5,
  modeLookMs: 100,
  /** A server of Codex answers in a fraction of a second; a swapping machine takes longer. */
  codexServerMs: 30_000,
  /** A server of OpenCode is up after two seconds; a swapping machine takes longer. */
  opencodeServerMs: 60_000,
  /** The server inside a client answers in 10 ms; a client that starts a turn on a busy machine takes seconds. */
  opencodeAskMs: 20_000,
  /** No client draws a question sooner. */
  startDrawMs: 500,
  /** After Ctrl-C: a client that is nearly up is still found, and the user does not wait long. */
  startInterruptedMs: 4_000,
  /** A client that draws would have written its registry file by then, if it has one. */
  startSilenceMs: 3_000,
  /** A question that is recognised by name stays open: long enough to be fully drawn. */
  startQuestionMs: 500,
  /** Of an ended program: enough for its error, not for its whole screen. */
  lastWordsLines: 6,
  /** A client that is asked to end cleans up within a second or two; after this time it is killed. */
  endMs: 10_000,

  // teams/spawn.ts
  /** If panes would become smaller than this, an agent gets its own window. */
  spawnColumns: 60,
  spawnRows: 12,

  // agents/
  /** Between two starts: enough for one client to get its refresh token before the next asks for one. */
  startGapMs: 500,
  /** Enough to keep a few cores busy; more would only make each of them slower. */
  demoStartsAtOnce: 10,

  // teams/start/look-again.ts
  /** After a change: a starting client reports within seconds; one that has not by the last look needs a person. */
  lookAgainSeconds: [5, 15, 30] as readonly number[],

  // teams/respawn.ts
  /** A tmux that was woken reaps its children within milliseconds. */
  endNoticedMs: 3_000,

  // watch/
  /** Between two looks if no file changed: tmux itself does not report what users do in it. */
  watchTickSeconds: 10,
  /** Glances between two looks while nothing happens. A glance costs a tenth of a look. */
  watchGlances: 3,
  /** After a first change: the other changes of one action follow within this time and are handled together. */
  watchSettleMs: 200,
  /** From one turn to the next, however much changes. */
  watchGapMs: 1_000,
  /** Rest for this many times the cost of the last look: a fixed share of a core for any size of fleet. */
  watchRestAfterChange: 20,
  watchRestAfterTick: 80,
  /** After a look that hung for long, other work must not wait for minutes. */
  watchRestCapMs: 60_000,
  /** Several actions of a user in a row give one autosave. */
  autosaveGapMs: 15_000,
  /** A day of work on a fleet that changes every few minutes. */
  autosaves: 50,
  /** A step that could not be settled or reported is tried again: it usually waits for a person. */
  watchAgainMs: 30_000,
  /** A month of a busy fleet; the log before it is kept once. */
  watchLogBytes: 1_000_000,
  /** A watcher that starts reads every transcript that it does not know yet, after it has its lock. */
  watchStartMs: 20_000,
  /** A watcher that gets the signal to stop finishes its step, which may be the delivery of a message. */
  watchStopMs: 30_000,
  /** Another command is starting the watcher meanwhile, and waits as long for it. */
  watchTurnMs: 25_000,
  /** Between two looks at the lock of the worker: a process that looks on takes over within seconds. */
  workerPollMs: 1_000,
  /** What tmux shows of a watcher that was killed disappears after this time; renewing it is one call per half of it. */
  labelsForMs: 120_000,
  /** Of a pane's label: it fits on the border of a third of a wide screen. */
  labelColumns: 60,
  /** Auditing reads every store, which a look does not. */
  watchReconcileMs: 60_000,
  /** A notification takes milliseconds; a program that hangs must not delay the next ones. */
  notifyMs: 10_000,
  /** Pending notifications: a whole fleet that ends at once. */
  notifyWaiting: 200,
  notifyTextLength: 300,
  /** Names in a status bar; the rest is a number. */
  statuslineNames: 3,

  // up/
  /** Rounds of restarting agents that ended at once: after these it is a crash loop. */
  upRounds: 3,
  /** Before the second round; it doubles, up to the cap. */
  upBackoffMs: 1_000,
  upBackoffCapMs: 30_000,
  /** After each round: a program that ends at once has ended by then. */
  upSettleMs: 500,
  /** A role prompt goes through one tmux command with everything else; files are larger only by mistake. */
  upPromptBytes: 1024 * 1024,
  /** The default time that `down` waits for busy agents. */
  leaveMs: 30_000,
  /** A client that accepted `/exit` is gone within a moment. */
  leaveExitMs: 5_000,
  /** For the first answer of an agent before another one forks from it. */
  forkParentMs: 60_000,

  // git/worktree-change.ts
  /** How many ignored files a message names. */
  ignoredNames: 5,

  // watch/heal.ts
  /** A crashed agent is restarted this often within the window; then a person is called. */
  heals: 5,
  healWindowMs: 10 * 60 * 1000,
  healCapMs: 60_000,

  // teamfile/
  /** The deepest level of a valid team file is five. */
  teamFileDepth: 20,
  /** With every alias expanded: aliases of aliases would expand without end. */
  teamFileValues: 20_000,
  teamFileAgents: 200,
  /** About a page; a file that is not a team file has one problem per line. */
  teamFileProblems: 50,
} as const;
