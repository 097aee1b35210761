import { textTable } from "../base/table.js";
import type { Discovery } from "../fleet/discover.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Cli } from "./cli.js";
import type { Argument, Command, Option } from "./command.js";
import { type Output, shown } from "./output.js";

export const sessionDiscover: Command = {
  words: "session discover",
  about: "which session is in a pane: uuid|state|title",
  args: [paneArgument()],
  options: [explainOption()],
  examples: ["hivemind session discover web4team:0.1", "hivemind session discover web4team:0.1 --explain"],
  notes: "Looks from outside: the pane is never touched.",
  hasJson: true,
  async run(cli, input) {
    const { pane, found } = await lookInto(cli, input.need("pane"));
    if (input.flag("json")) {
      cli.out.json({ pane: pane.address, paneId: pane.id, ...found });
      return undefined;
    }
    cli.out.print([found.uuid ?? "", found.state, oneField(found.title)].join("|"));
    if (input.flag("explain")) explain(found, cli.out);
    return undefined;
  },
};

export function paneArgument(): Argument {
  return { name: "pane", about: "team:window.pane or tmux's %id", meaning: "pane" };
}

export function explainOption(): Option {
  return { name: "explain", about: "show all evidence, and why one was chosen" };
}

export async function lookInto(cli: Cli, typed: string): Promise<{ pane: FleetPane; found: Discovery }> {
  const fleet = await (await cli.hive()).observe();
  const pane = findPaneIn(fleet, typed);
  return { pane, found: fleet.sessions.get(pane.id)! };
}

/** To stderr where the answer itself is for programs: stdout stays one line. */
export function explain({ evidence }: Discovery, out: Output): void {
  if (evidence.length === 0) out.note("no evidence: no agent, no title of a session, nothing in the cache");
  const rows = evidence.map(({ source, uuid, chosen, reason }) => [
    chosen ? "→" : "",
    source,
    uuid,
    shown(reason),
  ]);
  for (const line of textTable(rows)) out.note(line);
}

/** A title is anybody's text; here it must not look like another field. */
function oneField(title: string | null): string {
  return title === null ? "" : shown(title.replaceAll("|", " "));
}
