import { HiveError } from "../../base/errors.js";
import { textTable } from "../../base/text/table.js";
import { findPaneIn } from "../../fleet/find-pane.js";
import type { Discovery } from "../../fleet/identity/discover.js";
import type { PaneSession } from "../../fleet/observe.js";
import type { FleetPane } from "../../fleet/panes.js";
import { isTeamName } from "../../names/gates.js";
import type { Argument, Cli, Command, Input, Option } from "../command.js";
import { farRead, takingHosts } from "../far/also-far.js";
import { type Output, shown } from "../output.js";
import { noteProblems } from "../problems.js";

const paneArgument: Argument = {
  name: "pane",
  about: "team:window.pane, tmux %id or a role",
  meaning: "pane",
};

const explainOption: Option = {
  name: "explain",
  about: "print all evidence, and why one session was chosen",
};

export const sessionsDiscover: Command = {
  words: "sessions discover",
  also: ["session discover"],
  about: "print the session in a pane as uuid|state|title",
  args: [takingHosts(paneArgument)],
  options: [explainOption],
  examples: ["hivemind sessions discover web4team:0.1", "hivemind sessions discover web4team:0.1 --explain"],
  notes: "Never touches the pane.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, sessionsDiscover, "pane", "alone");
    if (typeof input === "number") return input;
    const { pane, found, problems } = await lookInto(cli, input.need("pane"));
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, ...found });
    else {
      cli.out.print([found.uuid ?? "", found.state, oneField(found.title)].join("|"));
      if (input.flag("explain")) explain(pane, found, cli.out);
    }
    // The session is known, but not whether it still exists.
    const isUnseen = found.uuid !== null && found.state === "unknown";
    return noteProblems(isUnseen ? problems : [], isUnseen, cli.out);
  },
};

export const sessionsCurrent: Command = {
  words: "sessions current",
  also: ["session current"],
  about: "print the id of the session in a pane",
  args: [takingHosts(paneArgument)],
  options: [explainOption],
  examples: ["hivemind sessions current web4team:0.1", "claude --resume $(hivemind sessions current %5)"],
  notes: "If it is not known: exit code 1, and nothing on stdout except with --json.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, sessionsCurrent, "pane", "alone");
    if (typeof input === "number") return input;
    const { pane, uuid, state } = await lookFor(cli, input);
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, uuid, state });
    else if (uuid !== null) cli.out.print(uuid);
    if (uuid === null)
      throw new HiveError(`the session in ${pane.address} is not known`, {
        hint: `see why: hivemind sessions discover ${pane.id} --explain`,
      });
    return undefined;
  },
};

export const sessionsState: Command = {
  words: "sessions state",
  also: ["session state"],
  about: "print the state of the session in a pane",
  args: [takingHosts(paneArgument)],
  options: [explainOption],
  examples: ["hivemind sessions state web4team:0.1"],
  notes:
    "live: running, written to within two minutes. stable: running. stale: no agent runs, but there is a transcript.\n" +
    "broken: only the cache names a session, and it has no transcript. unknown: no evidence, two panes claim the same\n" +
    "session, or its transcript may be in an unreadable folder.",
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, sessionsState, "pane", "alone");
    if (typeof input === "number") return input;
    const { pane, uuid, state } = await lookFor(cli, input);
    if (input.flag("json")) cli.out.json({ pane: pane.address, paneId: pane.id, uuid, state });
    else cli.out.print(state);
    return undefined;
  },
};

export const sessionsProbe: Command = {
  words: "sessions probe",
  also: ["session probe"],
  about: "ask an agent for its session by typing /status",
  args: [paneArgument],
  examples: ["hivemind sessions probe web4team:0.1"],
  notes:
    "Only if the agent is idle with an empty input box; closes the dialog afterwards. You almost always want\n" +
    "`hivemind sessions discover`, which finds the session without touching the pane.",
  hasJson: true,
  async run(cli, input) {
    // The dialog must be closed again, so Ctrl-C waits a few seconds.
    cli.untilInterrupted();
    const hive = await cli.hive();
    const { identify, knownSessions, probe } = await import("../../fleet/identity/probe.js");
    const { limits } = await import("../../limits.js");
    const { id, sessionName, agent } = hive.paneNamed(await hive.panes(), input.need("pane"));
    const ask = async () => {
      const fleet = await hive.observe();
      const pane = findPaneIn(fleet, id);
      return { pane, known: knownSessions(fleet), ...(await probe(hive.tmux, pane)) };
    };
    // Holds the queue, so that no message arrives meanwhile. An agent that is not in the roster has no queue.
    const alone = () =>
      agent === null ? ask() : hive.stores.queues.whileDraining(agent.id, ask, limits.sendLockMs);
    const answer = isTeamName(sessionName) ? await hive.whileChanging(sessionName, alone) : await ask();
    const { address } = answer.pane;
    if (!answer.isClosed)
      cli.out.note(`hivemind: the input box of ${address} is not empty after the probe; check it`);
    const found = identify(answer.shown, answer.known);
    if (found === null) {
      throw new HiveError(`the dialog of ${address} does not identify its session`, {
        hint: `it shows the id ${shown(answer.shown.id)} and the name ${shown(answer.shown.name)}; a wider pane shows more`,
      });
    }
    if (input.flag("json")) cli.out.json({ pane: address, paneId: id, ...found, closed: answer.isClosed });
    else cli.out.print(found.uuid);
  },
};

async function lookInto(cli: Cli, typed: string) {
  const hive = await cli.hive();
  const fleet = await hive.observe();
  const pane = hive.paneNamed(fleet, typed);
  return { pane, found: fleet.sessions.get(pane.id)!, problems: fleet.index.problems };
}

/** Only id and state, which is faster; the evidence only with --explain. */
async function lookFor(cli: Cli, input: Input): Promise<PaneSession> {
  if (!input.flag("explain")) return (await cli.hive()).sessionIn(input.need("pane"));
  const { pane, found } = await lookInto(cli, input.need("pane"));
  explain(pane, found, cli.out);
  return { pane, uuid: found.uuid, state: found.state };
}

/** Prints to stderr, so that stdout stays one line. */
function explain(pane: FleetPane, { evidence }: Discovery, out: Output): void {
  if (evidence.length === 0)
    out.note(`no evidence: ${occupantOf(pane)}, no session title, nothing in the cache`);
  const rows = evidence.map(({ source, uuid, chosen, reason }) => [
    chosen ? "→" : "",
    source,
    uuid,
    shown(reason),
  ]);
  for (const line of textTable(rows)) out.note(line);
}

function occupantOf({ kind, process, dead }: FleetPane): string {
  if (process !== null) return `${kind} runs (process ${process.pid}) but does not report its session`;
  return dead ? "the program has ended" : "no agent";
}

/** A title is foreign text and must not look like another field. */
function oneField(title: string | null): string {
  return title === null ? "" : shown(title.replaceAll("|", " "));
}
