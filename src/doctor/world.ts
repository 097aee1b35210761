// What the checks look at. Each part is read once, when a check first needs it. A failure affects only the checks
// that need that part.

import { tmpdir } from "node:os";
import { once } from "../base/once.js";
import type { ProcessReader } from "../base/system/process.js";
import * as processReader from "../base/system/processes.js";
import { type ClientFolder, rootsOf, searchedFolders } from "../fleet/folders.js";
import { observePanes, type Panes } from "../fleet/panes.js";
import { type StorePaths, storePaths } from "../stores/file/folder.js";
import { openStores, type Stores } from "../stores/stores.js";
import { openTmux, type Tmux } from "../tmux/tmux.js";
import { cacheFolder } from "../transcripts/cache-folder.js";
import { type Found as FoundTranscripts, findTranscripts } from "../transcripts/find.js";

export interface World {
  env: NodeJS.ProcessEnv;
  /** The file that runs. */
  program: string;
  nowMs: number;
  processes: ProcessReader;
  /** The folder for the homes of demos and probes. */
  temporaryFolder: string;
  tmux: Tmux;
  paths(): StorePaths;
  stores(): Stores;
  panes(): Promise<Panes>;
  /** The clients' config folders. */
  folders(): Promise<readonly ClientFolder[]>;
  transcripts(): Promise<FoundTranscripts>;
  cacheFolder(): string;
}

export function openWorld(
  options: Partial<Pick<World, "env" | "program" | "nowMs" | "processes" | "temporaryFolder">> = {},
): World {
  const { env = process.env, nowMs = Date.now(), processes = processReader } = options;
  const tmux = openTmux({ env });
  const paths = once(() => storePaths(env));
  const stores = once(() => openStores(env));
  const panes = once(() => observePanes({ env, tmux, processes }));
  const folders = once(async () => {
    // Without tmux or the stores, the other known folders still count.
    const running = await panes().catch(() => ({ panes: [] }));
    const accounts = attempt(() => stores().accounts.read().rows) ?? [];
    return searchedFolders(env, accounts, running.panes);
  });
  return {
    env,
    program: options.program ?? process.argv[1] ?? "",
    nowMs,
    processes,
    temporaryFolder: options.temporaryFolder ?? tmpdir(),
    tmux,
    paths,
    stores,
    panes,
    folders,
    transcripts: once(async () => findTranscripts(rootsOf(await folders()))),
    cacheFolder: () => cacheFolder(env, () => paths().folder),
  };
}

function attempt<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
