// What waits for a person on one other host, read from that host now.

import { text } from "../../base/json-schema.js";
import { hostName } from "../../names/gates.js";
import type { Endpoint } from "../../web/endpoint.js";
import { farInbox } from "../far/far-requests.js";
import { hostInboxAnswer } from "./answers/far.js";
import type { EndpointWorld } from "./command-endpoint.js";

export function hostInboxEndpoint({ asker }: Pick<EndpointWorld, "asker">): Endpoint {
  const path = "/fleet/{host}/inbox";
  const about = "a host of the fleet";
  return {
    ...{ method: "GET", path, about: "everything that waits for a person on another host", needs: "look" },
    parameters: [{ name: "host", in: "path", about, isRequired: true, schema: text }],
    ...{ body: null, answer: hostInboxAnswer },
    run({ parameters, interrupted }) {
      const host = parameters.get("host") ?? "";
      return asker.read(
        JSON.stringify([path, host]),
        async (cli) => cli.out.json(await farInbox(cli, hostName(host), "web", cli.untilInterrupted())),
        interrupted,
      );
    },
  };
}
