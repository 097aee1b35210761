import { type ExitCode, exitCodes, HiveError, UsageError } from "../base/errors.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import type { Told } from "../messages/broadcast.js";
import { isTeamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const broadcast: Command = {
  words: "broadcast",
  about: "tell every agent of a team something",
  args: [
    { name: "team", about: "a running team; without it, your own", meaning: "team", isOptional: true },
    {
      name: "text",
      about: "the message; - reads it from stdin",
      meaning: "text",
      isOptional: true,
      takesRest: true,
    },
  ],
  options: [
    {
      name: "team",
      value: "team",
      about: "the team, if the message begins with a team's name",
      meaning: "team",
    },
  ],
  examples: [
    "hivemind broadcast web4team we stop at five",
    "hivemind broadcast --team web4team web4team is its name",
  ],
  notes:
    "The first word is the team if one of that name runs. Whoever sends is not told. Each agent has\n" +
    "its own answer, as of `hivemind send`; the exit code is that of the worst: 1 before 5 before 4 before 0.",
  hasJson: true,
  async run(cli, input) {
    const words = [input.arg("team"), input.arg("text")].filter((word) => word !== undefined);
    if (words.length === 0)
      throw new UsageError("broadcast needs TEXT", { hint: "hivemind broadcast --help" });
    const hive = await cli.hive();
    const sending = await import("./sending.js");
    const { broadcast } = await import("../messages/broadcast.js");
    const { withSender } = await import("../messages/sender.js");
    const { rolesIn } = await import("../fleet/resolve.js");
    cli.untilInterrupted();
    const seen = await hive.panes();
    const { team, typed } = await meant(hive, seen, input.option("team"), words);
    const text = withSender(await sending.textOf(typed), await sending.senderOf(hive, seen));
    const panes = await agentsOf(hive, seen, team);
    if (panes.length === 0)
      throw new HiveError(`no agent to tell in ${shown(team)}`, { hint: "see what runs: hivemind status" });
    cli.out.progress(`telling ${panes.length} agents`);
    const told = await broadcast(hive, panes, text);
    cli.out.progress(null);
    const roleOf = rolesIn(seen, hive.stores);
    if (input.flag("json")) {
      const agents = told.map(({ pane, sent }) => {
        return { pane: pane.address, paneId: pane.id, role: roleOf(pane), ...sending.sentFacts(sent) };
      });
      cli.out.json({ team, agents });
    } else {
      const { textTable } = await import("../base/table.js");
      const rows = told.map(({ pane, sent }) => [pane.address, shown(roleOf(pane)), sending.sentLine(sent)]);
      cli.out.lines(textTable([["PANE", "ROLE", "ANSWER"], ...rows]));
    }
    return worst(told, sending.exitCodeOf);
  },
};

interface Meant {
  team: string;
  typed: string;
}

async function meant(
  hive: Hive,
  seen: Panes,
  named: string | undefined,
  words: readonly string[],
): Promise<Meant> {
  const { runningTeam, whichTeam } = await import("../fleet/which-team.js");
  if (named !== undefined) return { team: runningTeam(seen, named), typed: words.join(" ") };
  const [first, rest] = words;
  const isTeam = seen.panes.some(({ sessionName }) => sessionName === first);
  if (isTeam && rest === undefined)
    throw new UsageError(`nothing to tell ${shown(first)}`, {
      hint: `hivemind broadcast ${shown(first)} TEXT`,
    });
  if (isTeam) return { team: first!, typed: rest! };
  const team = whichTeam(seen, { own: hive.ownPane(seen), active: hive.stores.activeTeam.read() });
  return { team, typed: words.join(" ") };
}

/** Where their rows are by now, without whoever asks. */
async function agentsOf(hive: Hive, seen: Panes, team: string): Promise<FleetPane[]> {
  const { isAgent } = await import("../fleet/role-of.js");
  const { followed } = await import("./placed.js");
  const panes = isTeamName(team) ? await followed(hive, seen, [team]) : seen;
  const own = hive.ownPane(panes)?.id;
  return panes.panes.filter((pane) => pane.sessionName === team && isAgent(pane) && pane.id !== own);
}

function worst(told: readonly Told[], codes: Record<Told["sent"]["outcome"], ExitCode>): ExitCode {
  const order = [exitCodes.refused, exitCodes.held, exitCodes.queued] as const;
  const met = new Set(told.map(({ sent }) => codes[sent.outcome]));
  return order.find((code) => met.has(code)) ?? exitCodes.done;
}
