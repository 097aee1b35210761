// An agent that a team file names has its name from there.

import { HiveError } from "../base/errors.js";
import type { FleetPane } from "../fleet/panes.js";
import type { Hive } from "../hive.js";
import type { Cli } from "./cli.js";

/** Names file and line. A file that is gone or cannot be read names nobody: who renames finds that out. */
export async function refuseNamedInFile(
  cli: Cli,
  hive: Hive,
  { live, arguments: args }: FleetPane,
): Promise<void> {
  const { namedAgent, placeIn } = await import("../teamfile/agent-place.js");
  const named = namedAgent(live?.name) ?? namedAgent(args?.name);
  const row = hive.stores.projects.read().rows.find(({ project }) => project === named?.project);
  if (named === null || row === undefined) return;
  const place = await import("../teamfile/load-team-file.js").then(({ loadTeamFile }) => {
    try {
      return placeIn(
        loadTeamFile({ from: row.folder, file: row.folder, env: cli.env, project: named.project }),
        named,
      );
    } catch (error) {
      if (error instanceof HiveError) return null;
      throw error;
    }
  });
  if (place === null) return;
  throw new HiveError(
    `it is "${named.agent}" of the team file of ${named.project}, which names it: ${place}`,
    {
      hint: `another id there is another agent, with a conversation of its own: ${cli.self} plan`,
    },
  );
}
