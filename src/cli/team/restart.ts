import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { shellWord } from "../../base/text/shell-word.js";
import type { Panes } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import { type PaneAddress, type TeamName, teamName } from "../../names/gates.js";
import type { Kind } from "../../names/kind.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { SavedTeam } from "../../teams/snapshot/saved-team.js";
import { startingIn } from "../agent/spawn-options.js";
import { confirmOrRefuse } from "../ask.js";
import type { Cli, Command, Input, Option } from "../command.js";
import { hereOrThere } from "../far/open-far.js";
import { troubleCode } from "../problems.js";
import { restoreAll } from "../save/restore.js";
import { failedLines, startedLines } from "../save/show-restore.js";
import { bundleOptions, refuseBundleOptions, startFromBundle } from "./from-bundle.js";

const folderOptions: readonly Option[] = [
  { name: "team", value: "team", about: "for a pulled folder: only this team" },
  ...bundleOptions,
];

export const teamRestart: Command = {
  words: "team restart",
  about: "restart every agent in its own conversation",
  args: [
    {
      name: "team",
      about: "a team, running or not; or a pulled folder (with a /)",
      meaning: "team",
      host: "taken",
    },
  ],
  options: folderOptions,
  asks: "ends running agents",
  examples: [
    "hivemind team restart web4team",
    "hivemind team restart web4team --yes",
    "hivemind team restart web4team@server --yes",
    "hivemind team restart ~/config/hivemind.pulled/beta --map /home/ann/src=/srv/src --dry-run",
  ],
  notes:
    "A running team: ends and restarts its agents one after the other; panes and shells stay.\n" +
    "A team that is not running: starts it from its newest snapshot, or from its registered roles and sessions.\n" +
    "A folder from `team pull`: starts its teams as forks of their conversations. A name that is taken here becomes\n" +
    "HOST_TEAM, and the transcripts are copied to where the client looks for them.",
  run: (cli, input) =>
    hereOrThere<ExitCode | undefined>(cli, input, "team", {
      here: (own) => restartHere(cli, own),
      there: async (far) =>
        (await import("../far/act-far.js")).actFar(cli, input, teamRestart, far, {
          args: { team: far.name },
        }),
    }),
};

async function restartHere(cli: Cli, input: Input): Promise<ExitCode | undefined> {
  const typed = input.need("team");
  if (typed.includes("/")) return startFromBundle(cli, input, typed);
  refuseBundleOptions(input, folderOptions, "hivemind team restart ./FOLDER");
  const team = teamName(typed);
  const hive = await cli.hive();
  const seen = await hive.panes();
  if (seen.panes.some(({ sessionName }) => sessionName === team))
    return restartRunning(cli, hive, team, seen, input);
  const saved = [await storedTeam(cli, hive, team)];
  return restoreAll(cli, hive, saved, { isFork: false, isJson: false });
}

async function storedTeam(cli: Cli, hive: Hive, team: TeamName): Promise<SavedTeam> {
  const { newestSaved, registeredTeam } = await import("../../teams/snapshot/saved-teams.js");
  const saved = newestSaved(hive.stores, team, cli.out.note);
  if (saved !== null) return saved;
  const registered = registeredTeam(hive.stores, team, await hive.observe(), cli.out.note);
  if (registered !== null) return registered;
  const { fileOfTeam } = await import("../../up/written.js");
  const folder = fileOfTeam({ env: cli.env, stores: hive.stores }, team);
  throw new HiveError(`no team "${team}" is stored`, {
    hint:
      folder === null ? "hivemind team list" : `it has a team file: hivemind up --file ${shellWord(folder)}`,
  });
}

async function restartRunning(cli: Cli, hive: Hive, team: TeamName, seen: Panes, input: Input) {
  const { restartAway, restartable, restartAgent } = await import("../../teams/respawn.js");
  const { startInTurn } = await import("../../teams/start/in-turn.js");
  const { refuseElsewhere } = await import("../../fleet/roster/roster.js");
  const { out } = cli;
  const own = hive.ownPane(seen);
  const agents = restartable(seen, team).filter(({ id }) => id !== own?.id);
  if (own?.sessionName === team && own.process !== null)
    out.note(`skipped ${own.address}: this command runs there`);
  const away = seen.roster.agents.filter((agent) => agent.team === team && agent.seat === null);
  refuseElsewhere(seen.roster, team);
  if (agents.length + away.length === 0)
    throw new HiveError(`${team} has no agents`, { hint: `hivemind agent spawn NAME --team ${team}` });
  const running = agents.filter(({ process }) => process !== null).length;
  const would =
    running > 0 ? [`end ${counted(running, "running agent")} of ${team} and start them again`] : [];
  await confirmOrRefuse(input, { would, command: `team restart ${team}` });
  let code: ExitCode | undefined;
  await startingIn(cli, team, async (world) => {
    const turns = [
      ...agents.map(({ id, address: pane, agent }) => ({
        ...{ pane, kind: kindOf(agent), session: null },
        role: agent?.role ?? null,
        // Looks again at its turn: earlier restarts have changed the fleet.
        isAlone: true,
        start: () => restartAgent(world, id),
      })),
      ...away.map((agent) => ({
        ...{ kind: kindOf(agent), session: agent.session, isAlone: true },
        pane: agent.address ?? (`${team}:0.0` as PaneAddress),
        role: agent.role,
        start: () => restartAway(world, agent, { isFork: false }),
      })),
    ];
    const taken = await startInTurn(world, turns);
    out.lines(startedLines(taken.started, out.colours));
    for (const line of failedLines(taken.failed, out.colours)) out.note(line);
    noteNotReached(
      cli,
      turns.slice(turns.length - taken.notReached).map(({ pane, role }) => role ?? pane),
      team,
    );
    out.print(`${team}: ${taken.started.length} of ${turns.length} agents restarted`);
    code = troubleCode(taken.failed) ?? (taken.notReached > 0 ? exitCodes.refused : undefined);
    return taken.started.map(({ paneId, pane: address }) => ({ pane: paneId, address }));
  });
  return code;
}

/** An agent whose kind is unknown may need an account. */
function kindOf(agent: AgentRow | null): Kind {
  return ((agent?.kind ?? "") || "claude") as Kind;
}

/** Repeating the whole command would restart the first agents again. */
function noteNotReached({ out }: Cli, left: readonly string[], team: TeamName): void {
  if (left.length > 0) out.note(`interrupted before ${counted(left.length, "agent")}; to restart the rest:`);
  for (const name of left) out.note(`  hivemind agent restart ${name} --team ${team} --yes`);
}
