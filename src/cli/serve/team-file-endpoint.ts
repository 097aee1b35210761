// The text of the team file that `plan` reads: the one of the folder in which the server was started.

import { teamFileText } from "../../teamfile/load-team-file.js";
import type { Endpoint } from "../../web/endpoint.js";
import { currentWorkspace } from "../workspace.js";
import { teamFileAnswer } from "./answers/teams.js";
import type { EndpointWorld } from "./command-endpoint.js";

export function teamFileEndpoint({ cli, asker }: Pick<EndpointWorld, "cli" | "asker">): Endpoint {
  const path = "/plan/file";
  return {
    ...{ method: "GET", path, about: "the text of the team file", needs: "look" },
    ...{ parameters: [], body: null, answer: teamFileAnswer },
    run: ({ interrupted }) =>
      asker.read(
        path,
        async ({ out }) => out.json(teamFileText({ from: currentWorkspace().path, env: cli.env })),
        interrupted,
      ),
  };
}
