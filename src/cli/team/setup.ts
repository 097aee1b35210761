import { exitCodes, UsageError } from "../../base/errors.js";
import { field, role, teamName } from "../../names/gates.js";
import { isStartedKind, kindsInWords, startedKinds } from "../../names/kind.js";
import { typedTmux } from "../../tmux/socket.js";
import { sayWaiting, spawnOptions } from "../agent/spawn-options.js";
import { asTyped, type Command, given, ifGiven } from "../command.js";
import { shown } from "../output.js";
import { watcherBack } from "../watch/bring-back.js";
import { currentWorkspace } from "../workspace.js";

export const teamSetup: Command = {
  words: "team setup",
  about: "create a team: one pane and one agent per role",
  args: [
    { name: "team", about: "the name of the new team", host: "refused" },
    { name: "roles", about: "the roles of its agents", takesRest: true },
  ],
  options: [
    { name: "cwd", value: "folder", about: "the folder they work in (default: this one)", meaning: "path" },
    { name: "kind", value: "kind", about: kindsInWords(startedKinds), choices: startedKinds },
    { name: "model", value: "model", about: "the model they start with" },
    { name: "allow-broad-cwd", about: "allow / and the home folder as work folders" },
  ],
  examples: [
    "hivemind team setup web4team lead builder reviewer",
    "hivemind team setup trial lead builder --kind demo",
  ],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const roles = input.words("roles").map(role);
    const kind = input.option("kind") ?? "claude";
    if (!isStartedKind(kind))
      throw new UsageError(`"${shown(kind)}" is not a kind of agent`, {
        hint: `--kind is ${kindsInWords(startedKinds)}`,
      });
    const model = input.option("model");
    const hive = await cli.hive();
    const { workFolder } = await import("../../teams/start/broad-folder.js");
    const cwd = workFolder(
      input.option("cwd") ?? currentWorkspace("name a folder: --cwd FOLDER").path,
      cli.env,
      input.flag("allow-broad-cwd"),
    );
    const { setUpTeam } = await import("../../teams/setup.js");
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const { seats, isGone } = await hive.whileChanging(team, () =>
      setUpTeam(world, { team, roles, kind, cwd, ...given({ model: ifGiven(model, field) }) }),
    );
    for (const { role, started, isOld, why, isReached } of seats) {
      if (started === null) cli.out.note(`hivemind: ${role}: ${shown(why)}`);
      if (!isGone && !isReached) {
        const words = [role, "--team", team, ...asTyped(input, spawnOptions)];
        cli.out.note(`  hivemind agent spawn ${shown(words.join(" "))}`);
      }
      const sign = started?.waitsFor ? "?" : "✓";
      if (started !== null)
        cli.out.print(`${sign} ${role} ${isOld ? "was already " : ""}in ${started.address}`);
      sayWaiting(cli, role, started?.waitsFor ?? null);
    }
    if (!isGone) cli.out.print(`look at it: ${typedTmux(hive.tmux.server, "attach", "-t", `=${team}`)}`);
    else cli.out.note(`hivemind: no agent started, so ${team} was removed again`);
    if (!isGone) await watcherBack(cli, { hasHint: seats.every(({ started }) => started !== null) });
    return seats.every(({ started }) => started !== null) ? undefined : exitCodes.refused;
  },
};
