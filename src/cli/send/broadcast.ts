import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import type { FleetPane, Panes } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import type { BroadcastResult } from "../../messages/send.js";
import type { Command } from "../command.js";
import { teamMeant } from "../named-agent.js";
import { shown } from "../output.js";

export const broadcast: Command = {
  words: "broadcast",
  about: "send a message to every agent of a team",
  args: [
    { name: "team", about: "a running team (default: your own)", meaning: "team", isOptional: true },
    { name: "text", about: "the message; - reads stdin", isOptional: true, takesRest: true },
  ],
  options: [
    {
      name: "team",
      value: "team",
      about: "the team, for a message that begins with a team's name",
      meaning: "team",
    },
  ],
  examples: [
    "hivemind broadcast web4team we stop at five",
    "hivemind broadcast --team web4team web4team is its name",
  ],
  notes:
    "The first word names the team if a team of that name runs. The sender does not get its own message. Each agent has\n" +
    "its own outcome, as with `hivemind send`; the exit code is the worst of them: 1, then 5, then 4, then 0.",
  hasJson: true,
  async run(cli, input) {
    const words = [input.arg("team"), input.arg("text")].filter((word) => word !== undefined);
    if (words.length === 0)
      throw new UsageError("broadcast needs TEXT", { hint: "hivemind broadcast --help" });
    const hive = await cli.hive();
    const sending = await import("./send-shared.js");
    const { broadcast } = await import("../../messages/send.js");
    const { senderOf } = await import("../../hive/sender-of.js");
    const { sentFacts } = await import("../../messages/sent-error.js");
    const { speakerOf, withSender } = await import("../../messages/sender.js");
    const { roleOf } = await import("../../fleet/resolve.js");
    cli.untilInterrupted();
    const seen = await hive.panes();
    const { team, typed } = meant(hive, seen, input.option("team"), words);
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
  },
};

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
