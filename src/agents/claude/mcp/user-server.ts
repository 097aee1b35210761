// Our server in the client's own file of servers for all projects.
//
// Running clients rewrite that file all the time, under a lock of their own. So the client itself changes it:
// `claude mcp add-json` and `claude mcp remove` need no account and no network. We only read it.

import { join } from "node:path";
import { errorCode, HiveError } from "../../../base/errors.js";
import { FileRefused, readBytes } from "../../../base/files/atomic-file.js";
import type { AdditionState } from "../../../base/files/edited-file.js";
import { limits } from "../../../limits.js";
import { runClient } from "./client-command.js";
import { isOurEntry, type ServerEntry, serverName } from "./server-entry.js";

/** In the config folder if one is set, else beside the standard one. */
export function userServersPath(env: NodeJS.ProcessEnv): string {
  const folder = env.CLAUDE_CONFIG_DIR || env.HOME;
  if (folder) return join(folder, ".claude.json");
  throw new HiveError("HOME is not set, so the client's servers cannot be found", {
    hint: "set HOME, or CLAUDE_CONFIG_DIR to the folder that holds them",
  });
}

export interface UserServer {
  /** `other`: a server of our name that is not ours. */
  state: AdditionState | "other";
  why: string | null;
}

export function userServerState(env: NodeJS.ProcessEnv, entry: ServerEntry): UserServer {
  const path = userServersPath(env);
  try {
    const bytes = readBytes(path, limits.clientConfigBytes);
    const found = bytes === null ? undefined : JSON.parse(bytes.toString("utf8"))?.mcpServers?.[serverName];
    if (found === undefined) return { state: "absent", why: null };
    if (!isOurEntry(found)) return { state: "other", why: `another server has the name ${serverName}` };
    const isSame = JSON.stringify(inOrder(found)) === JSON.stringify(inOrder(entry));
    return { state: isSame ? "installed" : "outdated", why: null };
  } catch (error) {
    if (error instanceof SyntaxError) return { state: "broken", why: "it is not JSON" };
    if (error instanceof FileRefused) return { state: "broken", why: error.message };
    throw new HiveError(`${path} cannot be read: ${errorCode(error)}`, { cause: error });
  }
}

/** False if it was there already. */
export async function installUserServer(env: NodeJS.ProcessEnv, entry: ServerEntry): Promise<boolean> {
  const { state, why } = userServerState(env, entry);
  if (state === "installed") return false;
  if (why !== null)
    throw new HiveError(`refused ${userServersPath(env)}: ${why}`, {
      hint: "nothing was changed; fix the file, then try again",
    });
  if (state === "outdated") await removed(env);
  await runClient(env, ["mcp", "add-json", "--scope", "user", serverName, JSON.stringify(entry)]);
  return true;
}

/** False if there was none of ours. */
export async function removeUserServer(env: NodeJS.ProcessEnv, entry: ServerEntry): Promise<boolean> {
  const { state } = userServerState(env, entry);
  if (state !== "installed" && state !== "outdated") return false;
  await removed(env);
  return true;
}

function removed(env: NodeJS.ProcessEnv): Promise<void> {
  return runClient(env, ["mcp", "remove", "--scope", "user", serverName]);
}

/** The client may write the fields in another order, and an empty `env`. */
function inOrder({ type, command, args }: Partial<ServerEntry>): Partial<ServerEntry> {
  return {
    type: type ?? "stdio",
    ...(command === undefined ? {} : { command }),
    ...(args === undefined ? {} : { args }),
  };
}
