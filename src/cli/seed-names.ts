// The programs and verbs of the scripts that hivemind replaces, as data: for each verb its command here.

export interface SeedProgram {
  /** The command that the program runs without a verb; null: it prints its verbs. */
  alone: string | null;
  /** The command group of its other verbs; empty: any command. */
  group: string;
  /** Verb → words of the command, with the options that the verb implies. */
  verbs: Readonly<Record<string, string>>;
  /** Verbs that do not exist here: why, and what to type instead. */
  instead: Readonly<Record<string, Instead>>;
}

type Instead = readonly [why: string, hint: string];

/** The usual values. */
const plain: SeedProgram = { alone: null, group: "", verbs: {}, instead: {} };

export const seedPrograms: Readonly<Record<string, SeedProgram>> = {
  hiveMind: {
    ...plain,
    alone: "",
    verbs: {
      "team.activate": "team switch",
      "send.message": "send",
      "agent.queue.append": "queue append",
      "agent.queue.show": "queue list",
      "agent.queue.drain": "queue drain",
      "agent.session.probe": "sessions probe",
      "registry.find": "resolve",
      "session.lookup": "sessions current",
      "session.resolve.uuid": "sessions current",
      "active.team": "team active",
    },
    instead: {
      "session.store": ["a session is stored together with its role", "hivemind registry set PANE ROLE UUID"],
      "session.store.deferred": [
        "a refresh looks again for sessions that are not known yet",
        "hivemind registry refresh",
      ],
      "snapshot.version.check": [
        "restore checks the version of the snapshot first",
        "hivemind restore FILE --dry-run",
      ],
      "snapshot.row.valid": [
        "restore checks every row of the snapshot and reports the bad ones",
        "hivemind restore FILE --dry-run",
      ],
      "events.emit": ["commands log their own events", "hivemind events"],
    },
  },
  claudeCode: {
    ...plain,
    verbs: {
      fork: "sessions fork --all",
      "process.find": "agent process",
      "session.discover": "sessions discover",
      "session.current": "sessions current",
      "session.state": "sessions state",
      "session.probe": "sessions probe",
      "context.read": "context",
    },
    instead: {
      "max.tokens.for.jsonl": [
        "`context` prints the window size and how much of it is used",
        "hivemind context UUID",
      ],
    },
  },
  otmux: {
    ...plain,
    verbs: {
      "pane.get": "pane get",
      "layout.save": "layout save",
      "layout.restore": "layout restore",
      "layout.list": "layout list",
      "layout.show": "layout show",
      "size.lock": "size lock",
      "size.unlock": "size unlock",
      "size.floor.apply": "size apply",
    },
    instead: {
      "pane.lock": [
        "the client sets its own title, and hivemind does not override it",
        "hivemind agent rename NAME NEW",
      ],
    },
  },
  tronMonitor: {
    ...plain,
    alone: "monitor",
    group: "monitor",
    verbs: { findWindow: "monitor list", "tracked.teams": "monitor list" },
  },
  scrumMaster: { ...plain, verbs: { cycle: "watch --once" } },
  teamctl: { ...plain, verbs: { up: "up", down: "down" } },
};
