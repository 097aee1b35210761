import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import type { Hive } from "../../hive/hive.js";
import type { Departure, MigrateChoice } from "../../hosts/departure.js";
import type { FarLook } from "../../hosts/migrate.js";
import { type TeamName, teamName } from "../../names/gates.js";
import type { Command } from "../command.js";
import { byteBar, shown } from "../output.js";
import { showOutcome } from "../save/restore.js";
import { forkChoice, hostTyped, mapOption } from "./from-bundle.js";
import { fleetWay, sshWay } from "./migrate-target.js";

export const teamMigrate: Command = {
  words: "team migrate",
  about: "continue a team on another host",
  args: [
    { name: "team", about: "a running or saved team", meaning: "team" },
    { name: "host", about: "its name in ssh; with --fleet, in the fleet", meaning: "text" },
  ],
  options: [
    mapOption,
    { name: "fleet", about: "send it through the server of this host's fleet, without ssh" },
    { name: "fork", about: "send forks (default while the conversations are open here)" },
    { name: "same", about: "send the conversations themselves; none may be open here" },
    { name: "down", about: "end the team here (before it starts there, unless --fork)" },
    { name: "dry-run", about: "show what would happen, and change nothing on either host" },
  ],
  examples: [
    "hivemind team migrate web4team beta --dry-run",
    "hivemind team migrate web4team beta --map /home/ann/src=/srv/src",
    "hivemind team migrate web4team beta --down",
    "hivemind team migrate web4team beta --fleet --down",
  ],
  notes:
    "Saves the team, sends its stores and transcripts, and has hivemind start it on that host. The teams of that host do\n" +
    "not change; if the name is taken there, the team becomes THISHOST_TEAM. Here the team keeps running without --down.\n" +
    "After an interruption run the same command again. Needs hivemind and tmux on that host, and an ssh key that works\n" +
    "without a password prompt (HIVEMIND_SSH_CONFIG names another ssh configuration). With --fleet that host must allow\n" +
    "it: hivemind fleet allow start. The fleet's server keeps the files encrypted, and only until that host has them.",
  hasJson: true,
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const host = hostTyped(input);
    const { parseMaps } = await import("../../hosts/folder-map.js");
    const way = input.flag("fleet") ? await fleetWay(cli, host) : sshWay(host);
    const choice: MigrateChoice = {
      team,
      ...(way.from === undefined ? {} : { from: way.from }),
      maps: parseMaps(input.options("map")),
      isFork: forkChoice(input),
      isDown: input.flag("down"),
    };
    const hive = await cli.hive();
    if (choice.isDown) await refuseOwnTeam(hive, team);
    const { packTeam } = await import("../../hosts/departure.js");
    const { hasArrived, lookFar, migrateTeam } = await import("../../hosts/migrate.js");
    const { out } = cli;
    const world = { ...hive.teamWorld(out, cli.untilInterrupted()), whileChanging: hive.whileChanging };
    const departure = await packTeam(world, choice);
    const isJson = input.flag("json");
    return way.withTarget(world, async (far): Promise<ExitCode | undefined> => {
      if (input.flag("dry-run")) {
        const look = await lookFar(far, departure);
        if (isJson) out.json(migrateJson(host, choice, departure, look));
        else out.lines(migrateLines(host, choice, departure, look));
        return look.noFolders.length === 0 ? undefined : exitCodes.refused;
      }
      for (const problem of departure.box.problems) out.note(`warning: ${shown(problem)}`);
      const onBytes = (done: number, all: number) => out.progress(`${host}: ${byteBar(done, all)}`);
      const migrated = await migrateTeam({ world, far, choice, onBytes }, departure);
      out.progress(null);
      const { outcomes, untold } = migrated;
      if (isJson) out.json({ host, teams: outcomes, untold });
      else for (const outcome of outcomes) showOutcome(cli, outcome);
      if (outcomes.length === 0) out.note(`hivemind: ${host} did not report the result for ${team}`);
      else if (untold > 0) out.note(`hivemind: ${host} did not report on ${untold} agents of ${team}`);
      if (untold > 0)
        out.note(`  look there: ${far.lookThere}; or start it here: ${cli.self} team restart ${team}`);
      return hasArrived(migrated) ? undefined : exitCodes.refused;
    });
  },
};

/** --down would end this command with its team. */
async function refuseOwnTeam(hive: Hive, team: TeamName): Promise<void> {
  if (hive.ownPane(await hive.panes())?.sessionName !== team) return;
  throw new HiveError(`this command runs in ${team}, which --down ends`, {
    hint: "run it from another tmux session",
  });
}

function migrateLines(
  host: string,
  { team, isDown }: MigrateChoice,
  { box, folders, isRunning, isFork }: Departure,
  { missing, noFolders, teams }: FarLook,
): string[] {
  const bytes = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const here = isRunning ? `; here it ${isDown ? "ends" : "keeps running"}` : "";
  return [
    `${team} to ${host}: ${isFork ? "sends forks of its conversations" : "sends its conversations"}${here}`,
    `  sends ${counted(missing.length, "file")} of ${box.page.files.length}, ${bytes} bytes`,
    ...missing.map(({ path, sizeBytes }) => `    ${path}  ${sizeBytes}`),
    ...folders.map(
      (folder) =>
        `  works in ${shown(folder)}${noFolders.includes(folder) ? ", which is missing there" : ""}`,
    ),
    ...(noFolders.length === 0 ? [] : [`  create those folders on ${host}, or map them: --map FROM=TO`]),
    `  ${host} has ${teams.length === 0 ? "no teams yet" : `these teams: ${teams.map(shown).join(", ")}`}`,
    ...box.problems.map((problem) => `  warning: ${shown(problem)}`),
  ];
}

function migrateJson(
  host: string,
  { team, isDown }: MigrateChoice,
  { box, folders, isRunning, isFork }: Departure,
  { missing, noFolders, teams }: FarLook,
): object {
  const { files } = box.page;
  const plan = { team, host, isFork, isRunning, isDown, folders, noFolders, farTeams: teams };
  return { ...plan, files, missing: missing.map(({ path }) => path), problems: box.problems };
}
