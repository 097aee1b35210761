// Shared by the session commands: the known sessions, and the one that REF or --file names.

import { realpathSync } from "node:fs";
import { basename } from "node:path";
import { errorCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { windowsOf } from "../../fleet/activity/context.js";
import { edgesOf, type Recorded, readRecord, relativesOf } from "../../fleet/lineage/lineage-of.js";
import type { Fleet } from "../../fleet/observe.js";
import { roleOf } from "../../fleet/resolve.js";
import { sessionFates } from "../../fleet/sessions/lifecycle.js";
import type { Sessions } from "../../fleet/sessions/managed-list.js";
import { type AnySession, isIn } from "../../fleet/sessions/session-list.js";
import type { Hive } from "../../hive/hive.js";
import { isSessionId, type SessionId } from "../../names/gates.js";
import { isManagedId, type ManagedId } from "../../names/managed-id.js";
import type { Workspace } from "../../names/workspace.js";
import type { LineageEdge } from "../../transcripts/lineage/lineage.js";
import type { Problem } from "../../transcripts/transcript.js";
import { refuseUnseen } from "../../transcripts/unreadable.js";
import type { Argument, Cli, Command, Input, Option } from "../command.js";
import { shown } from "../output.js";
import { workspaceOrAll, workspaceOrNull } from "../workspace.js";
import type { SessionRow } from "./table.js";

export const refArgument: Argument = {
  name: "ref",
  about: "latest, an id or its first 8 digits, a pane or a role",
  meaning: "pane",
};

export const refOrFile: Argument = {
  ...refArgument,
  about: `${refArgument.about}; needed unless --file`,
  isOptional: true,
};

export const fileOption: Option = {
  name: "file",
  about: "instead of REF: the session with this file, in any folder",
  value: "path",
  meaning: "path",
};

export const allOption: Option = { name: "all", about: "search every folder, not only this one" };

export interface KnownSessions {
  hive: Hive;
  fleet: Fleet;
  /** Null with --all. */
  here: Workspace | null;
  /** The sessions of every known folder, newest first. */
  every: readonly AnySession[];
  /** The sessions of `here`. */
  inside: readonly AnySession[];
  /** Files in claw's folder that are not sessions of that folder. */
  refused: Sessions["refused"];
  /** Unreadable files and folders. */
  problems: readonly Problem[];
}

export async function knownSessions(cli: Cli, input: Input): Promise<KnownSessions> {
  const here = workspaceOrAll(input);
  const hive = await cli.hive();
  const fleet = await hive.observe();
  const { listEverySession } = await import("../../fleet/sessions/managed-list.js");
  const listed = listEverySession(fleet, windowsOf(cli.env), { env: cli.env, here });
  const { sessions, refused } = listed;
  const inside = here === null ? sessions : sessions.filter((entry) => isIn(entry, here));
  const problems = [...fleet.index.problems, ...listed.problems];
  return { hive, fleet, here, every: sessions, inside, refused, problems };
}

/** The session that REF names. `isRunningElsewhereMeant`: a pane or role may name one of another folder. */
export async function sessionNamed(
  ref: string,
  { hive, fleet, every, here, problems, refused }: KnownSessions,
  { isRunningElsewhereMeant }: { isRunningElsewhereMeant: boolean },
): Promise<AnySession> {
  const { findSession } = await import("../../fleet/sessions/session-find.js");
  const paneNamed = (typed: string) => hive.paneNamed(fleet, typed);
  const roles = fleet.panes.flatMap((pane) => roleOf(pane) ?? []);
  return findSession(ref, every, { here, paneNamed, roles, problems, refused, isRunningElsewhereMeant });
}

/** The parent-child edges in the families of these sessions. */
export async function edgesAmong(
  found: readonly AnySession[],
  opened: Hive,
  fleet: Fleet,
  recorded: Recorded = recordedIn(opened),
): Promise<readonly LineageEdge[]> {
  const ids = new Set(found.flatMap((entry) => (entry.store === "transcripts" ? entry.id : [])));
  const kinship = await opened.parentsByMessages(relativesOf(fleet, ids));
  return edgesOf(fleet, kinship, recorded, fleet.hooks.lineage);
}

/** The parents of sessions in the forks file. */
export function recordedIn({ stores }: Pick<Hive, "stores">): Recorded {
  return readRecord(stores.forks.lastOfEach("parents"));
}

/** One session with the facts of its table row, and its children. */
export async function rowOf(
  entry: AnySession,
  { every, hive, fleet }: KnownSessions,
  env: NodeJS.ProcessEnv,
): Promise<{ row: SessionRow; children: (SessionId | ManagedId)[] }> {
  const { lookAtWorktrees } = await import("../../git/worktree.js");
  const folder = entry.workspace?.path;
  const looks = await lookAtWorktrees(folder === undefined ? [] : [folder], { env });
  const fate = sessionFates(every, looks, fleet.takenAtMs).get(entry)!;
  const edges = await edgesAmong([entry], hive, fleet);
  const edge = edges.find(({ child }) => child === entry.id) ?? null;
  const forked = edges.filter(({ parent }) => parent === entry.id).map(({ child }) => child);
  const managed = every.filter(
    (each) => each.store === "managed" && each.parent === entry.id && each.workspace?.path === folder,
  );
  const look = looks.get(folder ?? "") ?? null;
  return { row: { entry, edge, fate, look }, children: [...forked, ...managed.map(({ id }) => id)] };
}

export async function meantOrFile(
  cli: Cli,
  input: Input,
  words: Command["words"],
): Promise<KnownSessions & { entry: AnySession }> {
  const { known, entry } = await fileOrMeant(cli, input, words);
  if (entry !== null) return { ...known, entry };
  await refuseManagedFile(cli, input.option("file")!);
  throw new HiveError(`${shown(input.option("file"))} is not a known session`, {
    hint: "list the known sessions: hivemind sessions --all",
  });
}

/** `entry` is null for a file that is not a known session. */
export async function fileOrMeant(
  cli: Cli,
  input: Input,
  words: Command["words"],
): Promise<{ known: KnownSessions; entry: AnySession | null }> {
  const [ref, file] = [input.arg("ref"), input.option("file")];
  if ((ref === undefined) === (file === undefined)) {
    const what = ref === undefined ? "needs REF or --file PATH" : "takes REF or --file PATH, not both";
    throw new UsageError(`${words} ${what}`, { hint: `hivemind ${words} --help` });
  }
  const path = file === undefined ? "" : realPath(file);
  const known = await knownSessions(cli, input);
  if (ref !== undefined) {
    const isRunningElsewhereMeant = words !== "sessions rm";
    return { known, entry: await sessionNamed(ref, known, { isRunningElsewhereMeant }) };
  }
  const named = known.every.filter((each) => each.path !== null && basename(each.path) === basename(path));
  const entry = named.find((each) => realPath(each.path!) === path);
  const id = basename(path, ".jsonl");
  if (entry === undefined && isSessionId(id)) refuseUnseen(`session ${id}`, id, known.problems);
  return { known, entry: entry ?? null };
}

/** Refuses a claw file that no list has, with the store's reason, such as the folder it is bound to. */
async function refuseManagedFile({ env }: Cli, file: string): Promise<void> {
  const name = basename(realPath(file)).replace(/\.jsonl?$/, "");
  const folder = workspaceOrNull()?.path;
  if (folder === undefined || isSessionId(name) || !isManagedId(name)) return;
  const { openManagedSessions } = await import("../../agents/claw/managed-store.js");
  openManagedSessions({ folder, env }).load({ file });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    const isMissing = ["ENOENT", "ENOTDIR"].includes(errorCode(cause) ?? "");
    if (isMissing) throw new HiveError(`there is no file ${shown(path)}`, { cause });
    const exitCode = exitCodes.couldNotLook;
    throw new HiveError(`could not read ${shown(path)}: ${(cause as Error).message}`, { exitCode, cause });
  }
}
