// Limits of mail and questions between the hosts of a fleet.

export const mailLimits = {
  // link/mail-form.ts
  /** A text of `messageBytes` as JSON: quotes and line breaks take two bytes there. Servers refuse above 1 MB. */
  mailFormBytes: 2 * 256 * 1024 + 8 * 1024,
  /** Of a person's name on another host. */
  farNameLength: 64,
  /** Of what became of mail, in words. */
  farDetailLength: 400,

  // link/mail.ts
  /** Between two looks at the receipts, while messages of other hosts are under way. */
  mailLookMs: 400,
  /** An answer to a message takes as long as the agent works. */
  mailAnswerMs: 30 * 60 * 1000,
  /** A message that fails this often, for a reason that nobody foresaw, is refused. */
  mailTries: 20,
  /** Tells the server that the work on a message goes on. */
  mailGoesOnMs: 10_000,

  // cli/send/send-far.ts
  /** A host that is reached takes mail within milliseconds, and a message is delivered within seconds. */
  firstFateMs: 10_000,
  fatePollMs: 100,
  /** A cluster that lost a node chooses another leader within seconds. */
  mailAppendMs: 15_000,

  // link/questions.ts
  /** The other host says every few seconds that it works on the answer. */
  farAnswerMs: 10_000,
  farGoesOnMs: 2_000,
  /** Of a whole answer: a list of ten thousand sessions. */
  farAnswerBytes: 32 * 1024 * 1024,
  /** The manifest of a team that moves has a line per conversation. Servers refuse above 1 MB. */
  farQuestionBytes: 768 * 1024,
  /** Questions of all hosts that one host works on at once, and those that wait. */
  farReads: 2,
  farReadsWaiting: 64,
  farActs: 2,
  farActsWaiting: 16,
  /** Ids of questions that were carried out: one that comes again is not carried out twice. */
  farActsKept: 1_000,
  /** Hosts that one command asks at the same time. */
  farHostsAtOnce: 16,
} as const;
