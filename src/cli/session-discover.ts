import { textTable } from "../base/table.js";
import type { Discovery } from "../fleet/discover.js";
import type { PaneSession } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Problem } from "../transcripts/transcript.js";
import type { Cli } from "./cli.js";
import type { Argument, Command, Input, Option } from "./command.js";
import { type Output, shown } from "./output.js";
import { noteProblems } from "./problems.js";

export const sessionDiscover: Command = {
  words: "session discover",
  about: "which session is in a pane: uuid|state|title",
  args: [paneArgument()],
  options: [explainOption()],
  examples: ["hivemind session discover web4team:0.1", "hivemind session discover web4team:0.1 --explain"],
  notes: "Looks from outside: the pane is never touched.",
  hasJson: true,
  async run(cli, input) {
    const { pane, found, problems } = await lookInto(cli, input.need("pane"));
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, ...found });
    else {
      cli.out.print([found.uuid ?? "", found.state, oneField(found.title)].join("|"));
      if (input.flag("explain")) explain(pane, found, cli.out);
    }
    // Which session it was is known, but not whether it is still there.
    const isUnseen = found.uuid !== null && found.state === "unknown";
    return noteProblems(isUnseen ? problems : [], isUnseen, cli.out);
  },
};

export function paneArgument(): Argument {
  return { name: "pane", about: "team:window.pane, tmux's %id, or a role", meaning: "pane" };
}

export function explainOption(): Option {
  return { name: "explain", about: "show all evidence, and why one was chosen" };
}

interface Look {
  pane: FleetPane;
  found: Discovery;
  problems: readonly Problem[];
}

async function lookInto(cli: Cli, typed: string): Promise<Look> {
  const hive = await cli.hive();
  const fleet = await hive.observe();
  const pane = hive.paneNamed(fleet, typed);
  return { pane, found: fleet.sessions.get(pane.id)!, problems: fleet.index.problems };
}

/** Uuid and state alone, which is quicker; the whole evidence only where it is asked for. */
export async function lookFor(cli: Cli, input: Input): Promise<PaneSession> {
  if (!input.flag("explain")) return (await cli.hive()).sessionIn(input.need("pane"));
  const { pane, found } = await lookInto(cli, input.need("pane"));
  explain(pane, found, cli.out);
  return { pane, uuid: found.uuid, state: found.state };
}

/** To stderr where the answer itself is for programs: stdout stays one line. */
function explain(pane: FleetPane, { evidence }: Discovery, out: Output): void {
  if (evidence.length === 0)
    out.note(`no evidence: ${whoIsThere(pane)}, no title of a session, nothing in the cache`);
  const rows = evidence.map(({ source, uuid, chosen, reason }) => [
    chosen ? "→" : "",
    source,
    uuid,
    shown(reason),
  ]);
  for (const line of textTable(rows)) out.note(line);
}

function whoIsThere({ kind, process, dead }: FleetPane): string {
  if (process !== null) return `${kind} runs (process ${process.pid}) and does not tell its session`;
  return dead ? "the program has ended" : "no agent";
}

/** A title is anybody's text; here it must not look like another field. */
function oneField(title: string | null): string {
  return title === null ? "" : shown(title.replaceAll("|", " "));
}
