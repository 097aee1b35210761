// The folders of the clients that hivemind searches for transcripts and for running clients. For each kind:
//
// - the folder of this environment
// - the standard folder in HOME, if it exists
// - folders that agents were seen to use before
// - folders of the running agents
//
// So a user with a CLAUDE_CONFIG_DIR sees the same conversations as a user without one. A folder that is reachable
// by several paths is searched once, by the first path. Only Claude Code's folder is searched before its first use:
// it is the default kind, and a missing folder must be noticed. The other kinds cost nothing until they are used.

import { agentOfKind, families, familyOf } from "../agents/all.js";
import { realPath } from "../base/files/real-path.js";
import type { AgentKind } from "../names/kind.js";
import { mayBeThere } from "../stores/file/whole-files.js";
import type { Root } from "../transcripts/find.js";
import type { FleetPane } from "./panes.js";

/** A folder in which the clients of one kind keep their files. */
export interface ClientFolder {
  kind: AgentKind;
  folder: string;
}

export function searchedFolders(
  env: NodeJS.ProcessEnv,
  accounts: readonly ClientFolder[],
  panes: readonly Pick<FleetPane, "folder" | "kind">[],
): ClientFolder[] {
  const running = panes.flatMap((pane) => folderOfPane(pane) ?? []);
  return families.flatMap((kind) => {
    const { folderOf } = agentOfKind(kind)!.home!;
    const own = folderOf(null, env);
    const standard = folderOf(null, { HOME: env.HOME });
    const isDefault = kind === families[0];
    const folders = [
      own !== null && (isDefault || mayBeThere(own)) ? own : [],
      standard !== null && mayBeThere(standard) ? standard : [],
      ...[...accounts, ...running].filter((each) => each.kind === kind).map(({ folder }) => folder),
    ].flat();
    return distinct(folders).map((folder) => ({ kind, folder }));
  });
}

/** The folder of the agent in a pane; null if it has none. */
export function folderOfPane({ kind, folder }: Pick<FleetPane, "folder" | "kind">): ClientFolder | null {
  const family = familyOf(kind);
  return folder === null || family === null ? null : { kind: family, folder };
}

/** The folders of Claude Code: hooks, settings and a registry by file are its own. */
export function foldersOfClaude(folders: readonly ClientFolder[]): string[] {
  return folders.flatMap(({ kind, folder }) => (kind === "claude" ? folder : []));
}

/** The folders with transcripts. */
export function rootsOf(folders: readonly ClientFolder[]): Root[] {
  return folders.flatMap(({ kind, folder }) => {
    const format = agentOfKind(kind)?.transcripts;
    return format === undefined ? [] : [{ folder, format }];
  });
}

/** The folders in which running clients report what they do. */
export function reportFolders(folders: readonly ClientFolder[]): string[] {
  return folders.flatMap(({ kind, folder }) => agentOfKind(kind)?.registry?.reports?.folder(folder) ?? []);
}

/** The folder of a client of this kind whose variable is not set. */
export function standardFolder(kind: AgentKind, { HOME }: NodeJS.ProcessEnv): string | null {
  return agentOfKind(kind)?.home?.folderOf(null, { HOME }) ?? null;
}

function distinct(folders: readonly string[]): string[] {
  const byPlace = new Map<string, string>();
  for (const folder of new Set(folders)) {
    const place = realPath(folder) ?? folder;
    if (!byPlace.has(place)) byPlace.set(place, folder);
  }
  return [...byPlace.values()];
}
