// Starts an agent again that has ended or is away.

import type { Hive } from "../../hive/hive.js";
import { role, type SessionId, type TeamName, teamName } from "../../names/gates.js";
import type { StartedAgent } from "../../teams/start/in-turn.js";
import type { TeamWorld } from "../../teams/world.js";
import { type Cli, type Command, given, type Input, yesOption } from "../command.js";
import { alsoFar } from "../far/also-far.js";
import { agentNamed, awayAgentNamed, nameArgument, refuseOwn, teamOption } from "../named-agent.js";
import { startedLines } from "../save/show-restore.js";
import { bundleOptions, refuseBundleOptions, startFromBundle } from "../team/from-bundle.js";
import { startingIn } from "./spawn-options.js";

export const agentRespawn: Command = alsoFar({
  words: "agent respawn",
  about: "restart an ended agent as a fork of its conversation",
  args: [nameArgument],
  options: [
    teamOption,
    {
      name: "from",
      value: "ref",
      about: "fork another session: its id or first 8 digits, a pane or a role",
    },
  ],
  examples: ["hivemind agent respawn builder", "hivemind agent respawn builder --from 2d65a42d"],
  notes: "The old conversation stays unchanged. To continue it instead: hivemind agent restart NAME",
  async run(cli, input) {
    const from = input.option("from");
    const { hive, away, pane } = await whichAgent(cli, input);
    const parent = from === undefined ? undefined : await sessionMeant(hive, from);
    const { restartAway, respawnAgent } = await import("../../teams/respawn.js");
    if (pane !== null)
      await start(cli, teamName(pane.sessionName), (world) => respawnAgent(world, pane.id, parent));
    if (away !== null)
      await start(cli, away.team, (world) =>
        restartAway(world, away, { isFork: true, ...given({ from: parent }) }),
      );
  },
});

export const agentRestart: Command = alsoFar({
  words: "agent restart",
  about: "restart an agent in its conversation",
  args: [nameArgument],
  options: [
    teamOption,
    yesOption("accepted, but this command never asks"),
    {
      name: "cwd",
      value: "folder",
      about: "its folder, if its pane is gone and no record has it",
      meaning: "path",
    },
    {
      name: "from-dir",
      value: "folder",
      about: "restart the agent of this name from a pulled folder",
      meaning: "path",
    },
    ...bundleOptions,
  ],
  examples: [
    "hivemind agent restart builder",
    "hivemind agent restart web4team:0.1 --yes",
    "hivemind agent restart --from-dir ~/config/hivemind.pulled/beta builder",
  ],
  async run(cli, input) {
    const folder = input.option("from-dir");
    if (folder !== undefined) return startFromBundle(cli, input, folder, role(input.need("name")));
    refuseBundleOptions(input, bundleOptions, "hivemind agent restart --from-dir FOLDER NAME");
    const cwd = input.option("cwd");
    const { hive, panes, away, pane } = await whichAgent(cli, input);
    if (pane !== null) refuseOwn(hive, panes, pane);
    const { restartAway, restartAgent } = await import("../../teams/respawn.js");
    if (pane !== null) await start(cli, teamName(pane.sessionName), (world) => restartAgent(world, pane.id));
    if (away !== null)
      await start(cli, away.team, (world) => restartAway(world, away, { isFork: false, ...given({ cwd }) }));
    return undefined;
  },
});

/** The agent that NAME names: away, or in a pane. */
async function whichAgent(cli: Cli, input: Input) {
  const hive = await cli.hive();
  const panes = await hive.panes();
  const away = awayAgentNamed(hive, panes, input);
  return { hive, panes, away, pane: away === null ? agentNamed(hive, panes, input) : null };
}

/** Starts the agent and prints the result. */
async function start(
  cli: Cli,
  team: TeamName,
  work: (world: TeamWorld) => Promise<StartedAgent>,
): Promise<void> {
  await startingIn(cli, team, async (world) => {
    const started = await work(world);
    cli.out.lines(startedLines([started], cli.out.colours));
    return [{ pane: started.paneId, address: started.pane }];
  });
}

async function sessionMeant(hive: Hive, typed: string): Promise<SessionId> {
  const { sessionNamed } = await import("../../fleet/sessions/session-find.js");
  const fleet = await hive.observe();
  const known = new Set(fleet.index.byId.keys());
  return sessionNamed(typed, known, fleet, (name) => hive.paneNamed(fleet, name));
}
