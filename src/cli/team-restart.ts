import { counted } from "../base/counted.js";
import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { Panes } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import { type PaneAddress, type TeamName, teamName } from "../names/gates.js";
import type { SavedTeam } from "../teams/saved-team.js";
import { agreedTo } from "./agreement.js";
import type { Cli } from "./cli.js";
import type { Command, Input, Option } from "./command.js";
import { fromBoxOptions, refuseBoxOptions, startFromBox } from "./from-box.js";
import { troubleCode } from "./problems.js";
import { failedLines, startedLines } from "./show-restore.js";
import { startingIn } from "./spawning.js";
import { restoreAll } from "./teams-restore.js";

const folderOptions: readonly Option[] = [
  { name: "team", value: "team", about: "of a folder: only this team of it", meaning: "text" },
  ...fromBoxOptions,
];

export const teamRestart: Command = {
  words: "team restart",
  about: "every agent of a team again, each in its pane and its session",
  args: [{ name: "team", about: "running or not; or a folder of another host, with a /", meaning: "team" }],
  options: folderOptions,
  asks: "ends running agents",
  examples: [
    "hivemind team restart web4team",
    "hivemind team restart web4team --yes",
    "hivemind team restart ~/config/hivemind.pulled/beta --map /home/ann/src=/srv/src --dry-run",
  ],
  notes:
    "A team that runs: its agents are ended and started again one after the other, panes and shells stay.\n" +
    "A team that does not: from the newest snapshot that has it, else from its registered roles and sessions.\n" +
    "A folder that `team pull` made: its teams, as forks of their conversations; a name that is taken here becomes\n" +
    "HOST_TEAM, and transcripts come to where the client looks for them from the folders that are here.",
  async run(cli, input) {
    const typed = input.need("team");
    if (typed.includes("/")) return startFromBox(cli, input, typed);
    refuseBoxOptions(input, folderOptions, "hivemind team restart ./FOLDER");
    const team = teamName(typed);
    const hive = await cli.hive();
    const seen = await hive.panes();
    if (seen.panes.some(({ sessionName }) => sessionName === team))
      return restartRunning(cli, hive, team, seen, input);
    const saved = [await storedTeam(cli, hive, team)];
    return restoreAll(cli, hive, saved, { isFork: false, isJson: false });
  },
};

async function storedTeam(cli: Cli, hive: Hive, team: TeamName): Promise<SavedTeam> {
  const { newestSaved, registeredTeam } = await import("../teams/saved-teams.js");
  const saved = newestSaved(hive.stores, team, cli.out.note);
  if (saved !== null) return saved;
  const registered = registeredTeam(hive.stores, team, (await hive.observe()).index, cli.out.note);
  if (registered !== null) return registered;
  const { whereWritten } = await import("../up/written.js");
  const folder = whereWritten({ env: cli.env, stores: hive.stores }, team);
  throw new HiveError(`nothing is stored of a team "${team}"`, {
    hint:
      folder === null ? "hivemind team list" : `it is written down: hivemind up --file ${shellWord(folder)}`,
  });
}

async function restartRunning(cli: Cli, hive: Hive, team: TeamName, seen: Panes, input: Input) {
  const { restartable, restartAgent } = await import("../teams/respawn.js");
  const { startInTurn } = await import("../teams/in-turn.js");
  const { out } = cli;
  const own = hive.ownPane(seen);
  const agents = restartable(hive, seen, team).filter(({ id }) => id !== own?.id);
  if (own?.sessionName === team && own.process !== null)
    out.note(`left alone: ${own.address}, the pane this runs in`);
  if (agents.length === 0) {
    const { storedRows } = await import("../fleet/moves.js");
    const { keptIn, wayBack } = await import("../teams/kept.js");
    const kept = keptIn(seen, storedRows(hive.stores), team);
    if (kept.length === 0)
      throw new HiveError(`${team} has no agents`, { hint: `hivemind agent spawn NAME --team ${team}` });
    throw new HiveError(
      `nobody of ${team} runs in the tmux session ${team}; not brought back: ${kept.join(", ")}`,
      {
        hint: wayBack(seen, team),
      },
    );
  }
  const running = agents.filter(({ process }) => process !== null).length;
  const would =
    running > 0 ? [`end ${counted(running, "running agent")} of ${team}, and start them again`] : [];
  await agreedTo(input, { would, command: `team restart ${team}` });
  let code: ExitCode | undefined;
  await startingIn(cli, team, async (world) => {
    const turns = agents.map(({ id, address, mark }) => ({
      pane: address,
      role: mark?.role ?? null,
      // Looked at when it is its turn: the fleet has changed by then.
      start: () => restartAgent(world, id),
    }));
    const taken = await startInTurn(world, turns);
    out.lines(startedLines(taken.started, out.colours));
    for (const line of failedLines(taken.failed, out.colours)) out.note(line);
    noteNotReached(
      cli,
      agents.slice(agents.length - taken.notReached).map(({ address }) => address),
    );
    out.print(`${team}: ${taken.started.length} of ${agents.length} agents restarted`);
    code = troubleCode(taken.failed) ?? (taken.notReached > 0 ? exitCodes.refused : undefined);
    return agents.map(({ id, address }) => ({ pane: id, address }));
  });
  return code;
}

/** The same command would begin with the first one again. */
function noteNotReached({ out }: Cli, left: readonly PaneAddress[]): void {
  if (left.length > 0) out.note(`${left.length} not reached; to restart them too:`);
  for (const address of left) out.note(`  hivemind agent restart ${address} --yes`);
}
