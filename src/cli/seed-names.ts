// The programs and verbs of the scripts that hivemind takes the place of, as data: each verb and the command it means here.

export interface SeedProgram {
  /** The command that the program runs without a verb; null: it prints its verbs. */
  alone: string | null;
  /** The group that its other verbs belong to; empty: any command. */
  group: string;
  /** A verb and the words of the command, with the options that it implies. */
  verbs: Readonly<Record<string, string>>;
  /** Verbs without a meaning here: why, and what to type instead. */
  instead: Readonly<Record<string, Instead>>;
}

export interface Instead {
  why: string;
  hint: string;
}

export const seedPrograms: Readonly<Record<string, SeedProgram>> = {
  hiveMind: {
    alone: "",
    group: "",
    verbs: {
      "team.activate": "team switch",
      "send.message": "send",
      "agent.queue.append": "queue append",
      "agent.queue.show": "queue list",
      "agent.queue.drain": "queue drain",
      "agent.session.probe": "session probe",
      "registry.find": "resolve",
      "session.lookup": "session current",
      "session.resolve.uuid": "session current",
      "active.team": "team active",
    },
    instead: {
      "session.store": {
        why: "a session is stored together with its role",
        hint: "hivemind registry set PANE ROLE UUID",
      },
      "session.store.deferred": {
        why: "a session that is not known yet is looked for again by a refresh",
        hint: "hivemind registry refresh",
      },
      "snapshot.version.check": {
        why: "a restore checks the version of its snapshot first",
        hint: "hivemind teams restore FILE --dry-run",
      },
      "snapshot.row.valid": {
        why: "a restore checks every row of its snapshot and names the bad ones",
        hint: "hivemind teams restore FILE --dry-run",
      },
      "events.emit": {
        why: "commands write their events themselves",
        hint: "hivemind events",
      },
    },
  },
  claudeCode: {
    alone: null,
    group: "",
    verbs: {
      fork: "sessions fork --all",
      "process.find": "agent process",
      "session.discover": "session discover",
      "session.current": "session current",
      "session.state": "session state",
      "session.probe": "session probe",
      "context.read": "context",
    },
    instead: {
      "max.tokens.for.jsonl": {
        why: "the size of a context window is shown with what is used of it",
        hint: "hivemind context UUID",
      },
    },
  },
  otmux: {
    alone: null,
    group: "",
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
      "pane.lock": {
        why: "the client writes its own title, and hivemind does not fight it",
        hint: "hivemind agent rename NAME NEW",
      },
    },
  },
  tronMonitor: {
    alone: "monitor",
    group: "monitor",
    verbs: {
      findWindow: "monitor list",
      "tracked.teams": "monitor list",
    },
    instead: {},
  },
  scrumMaster: {
    alone: null,
    group: "",
    verbs: { cycle: "watch --once" },
    instead: {},
  },
  teamctl: {
    alone: null,
    group: "",
    verbs: { up: "up", down: "down" },
    instead: {},
  },
};
