// Opens a local bundle with the readers of the stores and transcripts, which check versions and rows.

import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { rootFor } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { type Host, hostName, type TeamName } from "../names/gates.js";
import { pageIn } from "../stores/received.js";
import { openStores, type Stores } from "../stores/stores.js";
import { newestSaved, registeredTeam } from "../teams/snapshot/saved-teams.js";
import { cacheFolder } from "../transcripts/cache-folder.js";
import { openIndex } from "../transcripts/index.js";
import { agentsAtRest } from "./stored-teams.js";

export type OpenedBundle = Awaited<ReturnType<typeof openBundle>>;

export async function openBundle(typed: string, env: NodeJS.ProcessEnv, say: (line: string) => void) {
  const folder = resolve(typed);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new HiveError(`there is no folder ${harmless(folder)}`, {
      hint: "fetch one: hivemind team pull HOST",
    });
  }
  const page = pageIn(folder);
  const stores = openStores({ HIVEMIND_CONFIG_DIR: folder }, ({ path, line, why }) =>
    say(`${path}:${line}: ${harmless(why)}`),
  );
  const cacheDir = cacheFolder(env, () => folder);
  const index = await openIndex({ roots: rootFor("claude", folder), cacheDir }).refresh();
  const registered = stores.teams.read().rows.map(({ team }) => team);
  const names = page?.teams ?? [...new Set([...registered, ...inSnapshots(stores)])];
  const known = { index, roster: { agents: agentsAtRest(stores) } };
  const teams = names.flatMap(
    (team) => newestSaved(stores, team, say) ?? registeredTeam(stores, team, known, say) ?? [],
  );
  if (teams.length === 0) {
    throw new HiveError(`${harmless(folder)} has no team`, {
      hint: "fetch one: hivemind team pull HOST",
    });
  }
  return { folder, host: page?.host ?? hostOf(folder), stores, index, teams };
}

function inSnapshots({ snapshots }: Stores): TeamName[] {
  const [newest] = snapshots.list();
  return newest === undefined ? [] : snapshots.read(newest.path).rows.map(({ team }) => team);
}

/** For a folder without a host name: its own name if that is valid. */
function hostOf(folder: string): Host {
  try {
    return hostName(basename(folder));
  } catch {
    return hostName("moved");
  }
}
