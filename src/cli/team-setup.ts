import { exitCodes, UsageError } from "../base/errors.js";
import { field, role, teamName } from "../names/gates.js";
import { typedTmux } from "../tmux/socket.js";
import type { Command } from "./command.js";
import { workspaceHere } from "./here.js";
import { shown } from "./output.js";
import { asTyped, sayWaiting } from "./spawning.js";

export const teamSetup: Command = {
  words: "team setup",
  about: "a new team: one pane a role, an agent in each",
  args: [
    { name: "team", about: "its name", meaning: "text" },
    { name: "roles", about: "what its agents are called", meaning: "text", takesRest: true },
  ],
  options: [
    { name: "cwd", value: "folder", about: "where they work; else here", meaning: "path" },
    { name: "kind", value: "kind", about: "claude (without it) or demo", choices: ["claude", "demo"] },
    { name: "model", value: "model", about: "the model they start with" },
    { name: "allow-broad-cwd", about: "also in / or the home folder" },
  ],
  examples: [
    "hivemind team setup web4team lead builder reviewer",
    "hivemind team setup trial lead builder --kind demo",
  ],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const roles = input.words("roles").map(role);
    const kind = input.option("kind") ?? "claude";
    if (kind !== "claude" && kind !== "demo")
      throw new UsageError(`"${shown(kind)}" is no kind of agent`, { hint: "claude, or demo" });
    const model = input.option("model");
    const hive = await cli.hive();
    const { workFolder } = await import("../teams/broad.js");
    const cwd = workFolder(
      input.option("cwd") ?? workspaceHere("name one: --cwd FOLDER").path,
      cli.env,
      input.flag("allow-broad-cwd"),
    );
    const { setUpTeam } = await import("../teams/setup.js");
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const { seats, isGone } = await hive.whileChanging(team, () =>
      setUpTeam(world, { team, roles, kind, cwd, ...(model === undefined ? {} : { model: field(model) }) }),
    );
    for (const { role, started, isOld, why, isReached } of seats) {
      if (started === null) cli.out.note(`hivemind: ${role}: ${shown(why)}`);
      if (!isGone && !isReached) {
        const words = [role, "--team", team, ...asTyped(input)];
        cli.out.note(`  hivemind agent spawn ${shown(words.join(" "))}`);
      }
      const sign = started?.waitsFor ? "?" : "✓";
      if (started !== null)
        cli.out.print(
          `${sign} ${role} ${isOld ? "was " : ""}in ${started.address}${isOld ? " already" : ""}`,
        );
      sayWaiting(cli, role, started?.waitsFor ?? null);
    }
    if (!isGone) cli.out.print(`look at them: ${typedTmux(hive.tmux.server, "attach", "-t", `=${team}`)}`);
    else cli.out.note(`hivemind: none of them started: ${team} was taken away again`);
    return seats.every(({ started }) => started !== null) ? undefined : exitCodes.refused;
  },
};
