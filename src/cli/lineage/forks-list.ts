import { UsageError } from "../../base/errors.js";
import { paneAddress, sessionId } from "../../names/gates.js";
import { type ForkFilter, type ForkRow, type ForkState, forkStates } from "../../stores/forks.js";
import { type Command, given, type Input, ifGiven } from "../command.js";

export const forksList: Command = {
  words: "forks list",
  about: "print recorded sessions with pane and parent",
  options: [
    { name: "pane", value: "pane", about: "only rows of this pane", meaning: "pane" },
    { name: "uuid", value: "uuid", about: "only rows of this session" },
    { name: "parent", value: "uuid", about: "only children of this session" },
    {
      name: "state",
      value: "state",
      about: `only rows in this state: ${forkStates.join(", ")}`,
      choices: forkStates,
    },
  ],
  examples: ["hivemind forks list --pane web4team:0.1", "hivemind forks list --state broken --json"],
  notes: "Oldest first, as stored in the file: time|pane|role|session|state|parent.",
  hasJson: true,
  async run(cli, input) {
    const filter = filterOf(input);
    const { forks } = (await cli.hive()).stores;
    if (input.flag("json")) cli.out.json({ rows: [...forks.scan(filter)] });
    else for (const row of forks.scan(filter)) cli.out.print(line(row));
  },
};

function filterOf(input: Input): ForkFilter {
  const [pane, uuid, parent, state] = ["pane", "uuid", "parent", "state"].map((name) => input.option(name));
  if (state !== undefined && !isState(state)) {
    throw new UsageError(`"${state}" is not a state`, { hint: `one of: ${forkStates.join(", ")}` });
  }
  return given({
    pane: ifGiven(pane, paneAddress),
    uuid: ifGiven(uuid, sessionId),
    parent: ifGiven(parent, sessionId),
    state,
  });
}

function isState(text: string): text is ForkState {
  return (forkStates as readonly string[]).includes(text);
}

function line({ at, pane, role, uuid, state, parent }: ForkRow): string {
  return [at, pane ?? "", role ?? "", uuid ?? "", state, parent ?? ""].join("|");
}
