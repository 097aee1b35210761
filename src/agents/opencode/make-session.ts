// Lets the client make a conversation before the agent starts in it, so that its id is known.
//
// The client's fork is a copy with new message ids and no origin. So hivemind writes the origin into the fork's
// metadata, which the client keeps for other programs.

import { HiveError } from "../../base/errors.js";
import { isSessionOf, type SessionId } from "../../names/gates.js";
import type { NewSession } from "../launch.js";
import type { Json } from "../record.js";
import { opencodeProgram } from "./launch.js";
import { withServer } from "./run-server.js";

export function makeSession({ parent, cwd, folder, name, env }: NewSession): Promise<SessionId> {
  return withServer({ program: opencodeProgram(env), folder, cwd, env }, async (ask) => {
    const place = `directory=${encodeURIComponent(cwd)}`;
    const title = name === null ? {} : { title: name };
    if (parent === null) return sessionIn(await ask("POST", `/session?${place}`, title));
    const session = sessionIn(await ask("POST", `/session/${parent}/fork?${place}`, {}));
    const metadata = { hivemind: { forkedFrom: parent } };
    await ask("PATCH", `/session/${session}?${place}`, { ...title, metadata });
    return session;
  });
}

function sessionIn({ id }: Json): SessionId {
  if (typeof id === "string" && isSessionOf("opencode", id)) return id;
  throw new HiveError("opencode serve named no conversation");
}
