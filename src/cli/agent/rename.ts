import { HiveError } from "../../base/errors.js";
import type { FleetPane } from "../../fleet/panes.js";
import type { Hive } from "../../hive/hive.js";
import { role } from "../../names/gates.js";
import type { Cli, Command } from "../command.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";

export const agentRename: Command = {
  words: "agent rename",
  about: "give an agent another role",
  args: [nameArgument, { name: "new", about: "its new role" }],
  options: [teamOption],
  examples: ["hivemind agent rename builder tester", "hivemind agent rename web4team:0.1 tester"],
  notes:
    "Types /rename into the client only if the agent is idle with an empty input box; otherwise prints what to type.",
  async run(cli, input) {
    const renamed = role(input.need("new"));
    const { findPaneIn } = await import("../../fleet/find-pane.js");
    const { whileChangingAll } = await import("../pane/pane.js");
    const { renameAgent } = await import("../../teams/rename.js");
    const { sessionsKnown } = await import("./spawn-options.js");
    const { hive, pane } = await namedPane(cli, input);
    await refuseNamedInFile(cli, hive, pane);
    const { id, sessionName } = pane;
    const world = hive.teamWorld(cli.out, cli.untilInterrupted());
    const done = await whileChangingAll(hive, [sessionName], async () =>
      renameAgent(world, findPaneIn(await hive.panes(), id), renamed),
    );
    cli.out.print(
      done.old === renamed
        ? `${done.pane} is ${renamed}`
        : `${done.pane} is ${renamed} now (was ${done.old ?? "unnamed"})`,
    );
    const { typed } = done;
    if (typed !== null && typed.outcome !== "accepted") {
      cli.out.note(`hivemind: /rename was not typed into the agent: ${typed.why}`);
      cli.out.note(`  type it there yourself: /rename ${renamed}`);
    }
    await sessionsKnown(cli, world, done.team, done.isSessionKnown ? [] : [id]);
  },
};

/** Refuses, with file and line, if a team file sets this name. A missing or unreadable file sets no names. */
async function refuseNamedInFile(cli: Cli, hive: Hive, { live, arguments: args }: FleetPane): Promise<void> {
  const { namedAgent, placeIn } = await import("../../teamfile/agent-place.js");
  const named = namedAgent(live?.name) ?? namedAgent(args?.name);
  const row = hive.stores.projects.read().rows.find(({ project }) => project === named?.project);
  if (named === null || row === undefined) return;
  const { loadTeamFile } = await import("../../teamfile/load-team-file.js");
  const wanted = { from: row.folder, file: row.folder, env: cli.env, project: named.project };
  let place: string | null;
  try {
    place = placeIn(loadTeamFile(wanted), named);
  } catch (error) {
    if (error instanceof HiveError) return;
    throw error;
  }
  if (place === null) return;
  throw new HiveError(`the team file of ${named.project} names this agent "${named.agent}": ${place}`, {
    hint: `a new id in that file makes a new agent with a new conversation: ${cli.self} plan`,
  });
}
