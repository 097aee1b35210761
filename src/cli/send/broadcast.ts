import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import type { FleetPane, Panes } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import type { BroadcastResult } from "../../messages/send.js";
import type { Cli, Command, Input } from "../command.js";
import { hasHost, nameIn } from "../far/open-far.js";
import { teamMeant } from "../named-agent.js";
import { shown } from "../output.js";

export const broadcast: Command = {
  words: "broadcast",
  about: "send a message to every agent of a team",
  args: [
    {
      name: "team",
      about: "a running team (default: your own)",
      meaning: "team",
      isOptional: true,
      host: "taken",
    },
    { name: "text", about: "the message; - reads stdin", isOptional: true, takesRest: true },
  ],
  options: [
    {
      name: "team",
      value: "team",
      about: "the team, for a message that begins with a team's name",
      meaning: "team",
      host: "taken",
    },
    { name: "fleet", about: "to the agents of every host of the fleet; only of the team, if one is named" },
  ],
  examples: [
    "hivemind broadcast web4team we stop at five",
    "hivemind broadcast --team web4team web4team is its name",
    "hivemind broadcast web4team@server we stop at five",
    "hivemind broadcast --fleet we stop at five",
  ],
  notes:
    "The first word names the team if a team of that name runs. The sender does not get its own message. Each agent has\n" +
    "its own outcome, as with `hivemind send`; the exit code is the worst of them: 1, then 5, then 4, then 0.\n" +
    "TEAM@HOST is a team of another host of the fleet. Each agent there gets mail of its own. A host that is not reached is\n" +
    "in the list, and nothing is sent there; `hivemind send NAME@HOST` leaves a message in its mail.",
  hasJson: true,
  async run(cli, input) {
    const words = [input.arg("team"), input.arg("text")].filter((word) => word !== undefined);
    if (words.length === 0)
      throw new UsageError("broadcast needs TEXT", { hint: "hivemind broadcast --help" });
    const isFleet = input.flag("fleet");
    if (isFleet && hasHost(input.option("team") ?? ""))
      throw new UsageError("--fleet is every host, and TEAM@HOST is one", {
        hint: "hivemind broadcast TEAM@HOST TEXT",
      });
    if (isFleet) return (await import("../far/broadcast-far.js")).broadcastFleet(cli, input, words);
    const far = await teamAtHost(cli, input.option("team"), words);
    if (far === null) return broadcastHere(cli, input, input.option("team"), words);
    const { name, host, typed } = far;
    if (host === null) return broadcastHere(cli, input, name, [typed]);
    return (await import("../far/broadcast-far.js")).broadcastTeam(cli, input, { name, host }, typed);
  },
};

/** TEAM@HOST and the text for it; null if no host is named. On a host without a fleet `a@b` is a word like any other. */
async function teamAtHost(cli: Cli, named: string | undefined, [first, rest]: readonly string[]) {
  const typed = named ?? first!;
  if (!hasHost(typed)) return null;
  const { joinOf } = await import("../../link/join.js");
  const { env, stores } = await cli.hive();
  const isWord = joinOf(env, stores) === null || !/^[\w-]+@[\w.-]+$/.test(typed);
  if (named === undefined && isWord) return null;
  const { name, host } = await nameIn(cli, typed);
  if (named !== undefined) return { name, host, typed: [first, rest].filter(Boolean).join(" ") };
  if (rest !== undefined) return { name, host, typed: rest };
  throw new UsageError(`no text for ${shown(typed)}`, { hint: `hivemind broadcast ${shown(typed)} TEXT` });
}

async function broadcastHere(
  cli: Cli,
  input: Input,
  named: string | undefined,
  words: readonly string[],
): Promise<ExitCode> {
  const hive = await cli.hive();
  const sending = await import("./send-shared.js");
  const { broadcast } = await import("../../messages/send.js");
  const { senderOf } = await import("../../hive/sender-of.js");
  const { sentFacts } = await import("../../messages/sent-error.js");
  const { speakerOf, withSender } = await import("../../messages/sender.js");
  const { roleOf } = await import("../../fleet/resolve.js");
  cli.untilInterrupted();
  const seen = await hive.panes();
  const { team, typed } = meant(hive, seen, named, words);
  const sender = senderOf(hive, seen);
  const text = withSender(await sending.textOf(typed), sender);
  const panes = await agentsOf(hive, seen, team);
  if (panes.length === 0)
    throw new HiveError(`${shown(team)} has no agent to send to`, {
      hint: "see what runs: hivemind status",
    });
  cli.out.progress(`sending to ${panes.length} agents`);
  const told = await broadcast(hive, seen, panes, text, speakerOf(sender));
  cli.out.progress(null);
  if (input.flag("json")) {
    const agents = told.map(({ pane, sent }) => {
      return { pane: pane.address, paneId: pane.id, role: roleOf(pane), ...sentFacts(sent) };
    });
    cli.out.json({ team, agents });
  } else {
    const { textTable } = await import("../../base/text/table.js");
    const rows = told.map(({ pane, sent }) => [pane.address, shown(roleOf(pane)), sending.sentCell(sent)]);
    cli.out.lines(textTable([["PANE", "ROLE", "OUTCOME"], ...rows]));
    await sending.noteUndelivered(
      cli,
      hive,
      told.map(({ sent }) => sent.outcome),
    );
  }
  return worst(told, sending.exitCodeOf);
}

/** Which team, and the text for it. */
function meant(hive: Hive, seen: Panes, named: string | undefined, words: readonly string[]) {
  const [first, rest] = words;
  const isTeam = named === undefined && seen.panes.some(({ sessionName }) => sessionName === first);
  if (isTeam && rest === undefined)
    throw new UsageError(`no text for ${shown(first)}`, {
      hint: `hivemind broadcast ${shown(first)} TEXT`,
    });
  if (isTeam) return { team: first!, typed: rest! };
  return { team: teamMeant(hive, seen, named), typed: words.join(" ") };
}

/** Without the sender. */
async function agentsOf(hive: Hive, seen: Panes, team: string): Promise<FleetPane[]> {
  const { isAgent } = await import("../../fleet/roster/role-of.js");
  const own = hive.ownPane(seen)?.id;
  return seen.panes.filter((pane) => pane.sessionName === team && isAgent(pane) && pane.id !== own);
}

function worst(
  told: readonly BroadcastResult[],
  codes: Record<BroadcastResult["sent"]["outcome"], ExitCode>,
): ExitCode {
  const order = [exitCodes.refused, exitCodes.held, exitCodes.queued] as const;
  const met = new Set(told.map(({ sent }) => codes[sent.outcome]));
  return order.find((code) => met.has(code)) ?? exitCodes.done;
}
