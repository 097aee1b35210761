import type { Hive } from "../hive.js";
import { type SessionId, teamName } from "../names/gates.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";
import { startedLines } from "./show-restore.js";
import { startingIn } from "./spawning.js";

export const agentRespawn: Command = {
  words: "agent respawn",
  about: "an ended agent comes back in its pane, as a fork of its last conversation",
  args: [nameArgument],
  options: [
    teamOption,
    {
      name: "from",
      value: "ref",
      about: "fork this one instead: a session's id or its beginning, a pane, a role",
    },
  ],
  examples: ["hivemind agent respawn builder", "hivemind agent respawn builder --from 2d65a42d"],
  notes: "The conversation it comes from stays as it was. To go on in it: hivemind agent restart NAME",
  async run(cli, input) {
    const from = input.option("from");
    const hive = await cli.hive();
    const found = agentNamed(hive, await hive.panes(), input);
    const team = teamName(found.sessionName);
    const parent = from === undefined ? undefined : await sessionMeant(hive, from);
    const { respawnAgent } = await import("../teams/respawn.js");
    await startingIn(cli, team, async (world) => {
      const started = await respawnAgent(world, found.id, parent);
      cli.out.lines(startedLines([started], cli.out.colours));
      return [{ pane: found.id, address: started.pane }];
    });
    return undefined;
  },
};

async function sessionMeant(hive: Hive, typed: string): Promise<SessionId> {
  const { sessionNamed } = await import("../fleet/session-ref.js");
  const fleet = await hive.observe();
  const known = new Set(fleet.index.byId.keys());
  return sessionNamed(typed, known, fleet, (name) => hive.paneNamed(fleet, name));
}
