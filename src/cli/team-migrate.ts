import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import type { Hive } from "../hive.js";
import type { MigrateChoice } from "../moving/departure.js";
import { type TeamName, teamName } from "../names/gates.js";
import { byteBar } from "./byte-bar.js";
import type { Command } from "./command.js";
import { forkChoice, hostTyped, mapOption } from "./from-box.js";
import { shown } from "./output.js";
import { migrateJson, migrateLines } from "./show-migrate.js";
import { showOutcome } from "./teams-restore.js";

export const teamMigrate: Command = {
  words: "team migrate",
  about: "a team goes on on another host, each agent in its conversation",
  args: [
    { name: "team", about: "running or saved", meaning: "team" },
    { name: "host", about: "as ssh knows it", meaning: "text" },
  ],
  options: [
    mapOption,
    { name: "fork", about: "forks go (without it too, while its conversations are open here)" },
    { name: "same", about: "the conversations themselves go; nobody may have them open here" },
    { name: "down", about: "end the team here; without --fork before it starts there" },
    { name: "dry-run", about: "say what would be done, and change nothing on either host" },
  ],
  examples: [
    "hivemind team migrate web4team beta --dry-run",
    "hivemind team migrate web4team beta --map /home/ann/src=/srv/src",
    "hivemind team migrate web4team beta --down",
  ],
  notes:
    "The team is saved, its stores and transcripts are sent, and the hivemind of that host starts it; its own teams stay as\n" +
    "they are, and a name that is taken there becomes THISHOST_TEAM. Here the team goes on unless --down is given.\n" +
    "Broken off, the same command goes on. It needs hivemind and tmux on that host, and a key that ssh can use without\n" +
    "asking (HIVEMIND_SSH_CONFIG names another configuration of ssh).",
  hasJson: true,
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const host = hostTyped(input);
    const { parseMaps } = await import("../moving/folder-map.js");
    const choice: MigrateChoice = {
      team,
      maps: parseMaps(input.options("map")),
      isFork: forkChoice(input),
      isDown: input.flag("down"),
    };
    const hive = await cli.hive();
    if (choice.isDown) await refuseOwnTeam(hive, team);
    const { withFar } = await import("../moving/far.js");
    const { packTeam } = await import("../moving/departure.js");
    const { hasArrived } = await import("../moving/far-outcomes.js");
    const { lookFar, migrateTeam } = await import("../moving/migrate.js");
    const { out } = cli;
    const world = { ...hive.teamWorld(out, cli.untilInterrupted()), whileChanging: hive.whileChanging };
    const departure = await packTeam(world, choice);
    const isJson = input.flag("json");
    return withFar(host, world, async (far): Promise<ExitCode | undefined> => {
      if (input.flag("dry-run")) {
        const look = await lookFar(far, departure);
        if (isJson) out.json(migrateJson(host, choice, departure, look));
        else out.lines(migrateLines(host, choice, departure, look));
        return look.noFolders.length === 0 ? undefined : exitCodes.refused;
      }
      for (const problem of departure.box.problems) out.note(`warning: ${shown(problem)}`);
      const migrated = await migrateTeam(world, far, choice, departure, (done, all) =>
        out.progress(`${host}: ${byteBar(done, all)}`),
      );
      out.progress(null);
      const { outcomes, untold } = migrated;
      if (isJson) out.json({ host, teams: outcomes, untold });
      else for (const outcome of outcomes) showOutcome(cli, outcome);
      if (outcomes.length === 0) out.note(`hivemind: ${host} does not say what came of ${team}`);
      else if (untold > 0) out.note(`hivemind: ${host} says nothing of ${untold} agents of ${team}`);
      if (untold > 0)
        out.note(
          `  look there: ssh ${host} hivemind status; to have it here: ${cli.self} team restart ${team}`,
        );
      return hasArrived(migrated) ? undefined : exitCodes.refused;
    });
  },
};

/** Whoever runs this would end with it. */
async function refuseOwnTeam(hive: Hive, team: TeamName): Promise<void> {
  if (hive.ownPane(await hive.panes())?.sessionName !== team) return;
  throw new HiveError(`this runs in ${team}, which would end`, { hint: "do it from another tmux session" });
}
