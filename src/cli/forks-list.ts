import { UsageError } from "../base/errors.js";
import { paneAddress, sessionId } from "../names/gates.js";
import { type ForkFilter, type ForkRow, type ForkState, forkStates } from "../stores/forks.js";
import type { Command, Input } from "./command.js";

export const forksList: Command = {
  words: "forks list",
  about: "the record of sessions, panes and parents, oldest first",
  options: [
    { name: "pane", value: "pane", about: "only of this pane", meaning: "pane" },
    { name: "uuid", value: "uuid", about: "only of this session" },
    { name: "parent", value: "uuid", about: "only children of this session" },
    {
      name: "state",
      value: "state",
      about: `only rows that say ${forkStates.join(", ")}`,
      choices: forkStates,
    },
  ],
  examples: ["hivemind forks list --pane web4team:0.1", "hivemind forks list --state broken --json"],
  notes: "Rows are printed as the file has them: time|pane|role|session|state|parent.",
  hasJson: true,
  async run(cli, input) {
    const filter = filterOf(input);
    const { forks } = (await cli.hive()).stores;
    if (input.flag("json")) cli.out.json({ rows: [...forks.scan(filter)] });
    else for (const row of forks.scan(filter)) cli.out.print(line(row));
    return undefined;
  },
};

function filterOf(input: Input): ForkFilter {
  const [pane, uuid, parent, state] = ["pane", "uuid", "parent", "state"].map((name) => input.option(name));
  if (state !== undefined && !isState(state)) {
    throw new UsageError(`"${state}" is no state`, { hint: `one of: ${forkStates.join(", ")}` });
  }
  return {
    ...(pane === undefined ? {} : { pane: paneAddress(pane) }),
    ...(uuid === undefined ? {} : { uuid: sessionId(uuid) }),
    ...(parent === undefined ? {} : { parent: sessionId(parent) }),
    ...(state === undefined ? {} : { state }),
  };
}

function isState(text: string): text is ForkState {
  return (forkStates as readonly string[]).includes(text);
}

function line({ at, pane, role, uuid, state, parent }: ForkRow): string {
  return [at, pane ?? "", role ?? "", uuid ?? "", state, parent ?? ""].join("|");
}
