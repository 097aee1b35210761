// A box that lies here, opened with the readers of the stores and of transcripts: version and row gates are theirs.

import { statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { transcriptLines } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { type Host, hostName, type TeamName } from "../names/gates.js";
import { pageIn } from "../stores/pulled.js";
import { openStores, type Stores } from "../stores/stores.js";
import type { SavedTeam } from "../teams/saved-team.js";
import { newestSaved, registeredTeam } from "../teams/saved-teams.js";
import { cacheFolder } from "../transcripts/cache-folder.js";
import { type Index, openIndex } from "../transcripts/index.js";

export interface OpenedBox {
  folder: string;
  host: Host;
  stores: Stores;
  index: Index;
  teams: SavedTeam[];
}

export async function openBox(
  typed: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<OpenedBox> {
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
  const index = await openIndex({ roots: [folder], cacheDir, parser: transcriptLines }).refresh();
  const registered = stores.teams.read().rows.map(({ team }) => team);
  const names = page?.teams ?? [...new Set([...registered, ...inSnapshots(stores)])];
  const teams = names.flatMap(
    (team) => newestSaved(stores, team, say) ?? registeredTeam(stores, team, index, say) ?? [],
  );
  if (teams.length === 0) {
    throw new HiveError(`${harmless(folder)} has no team in it`, {
      hint: "fetch one: hivemind team pull HOST",
    });
  }
  return { folder, host: page?.host ?? hostOf(folder), stores, index, teams };
}

function inSnapshots({ snapshots }: Stores): TeamName[] {
  const [newest] = snapshots.list();
  return newest === undefined ? [] : snapshots.read(newest.path).rows.map(({ team }) => team);
}

/** Of a folder that says nothing of its host: what it is called, where that can be a name. */
function hostOf(folder: string): Host {
  try {
    return hostName(basename(folder));
  } catch {
    return hostName("moved");
  }
}
