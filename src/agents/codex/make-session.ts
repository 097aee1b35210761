// Lets the client make a conversation before the agent starts in it, so that its id is known.
//
// The client resumes a conversation only with the provider that made it. So the server gets the settings of the start.

import { basename } from "node:path";
import type { SessionId } from "../../names/gates.js";
import type { NewSession } from "../launch.js";
import { codexProgram } from "./launch.js";
import { withServer } from "./run-server.js";
import { commandWords } from "./words.js";

export function makeSession({ parent, cwd, folder, name, extra, env }: NewSession): Promise<SessionId> {
  const start = { program: codexProgram(env), settings: settingsIn(extra), folder, cwd, env };
  return withServer(start, async (server) => {
    if (parent === null) return server.create(cwd, name ?? (basename(cwd) || "codex"));
    const session = await server.fork(parent, cwd);
    if (name !== null) await server.rename(session, name);
    return session;
  });
}

/** The arguments of a start that a server takes too. */
export function settingsIn(extra: readonly string[]): string[] {
  const { options } = commandWords(["codex", ...extra])!;
  return ["--config", "--profile", "--enable", "--disable"].flatMap((name) =>
    (options.get(name) ?? []).flatMap((value) => (value === null ? [] : [name, value])),
  );
}
