// What every command about sessions begins with: all that are known, and the one that is meant.

import { windowsOf } from "../fleet/context.js";
import { fatesOf } from "../fleet/lifecycle.js";
import { edgesOf, readRecord, relativesOf } from "../fleet/lineage-of.js";
import type { Sessions } from "../fleet/managed-list.js";
import type { Fleet } from "../fleet/observe.js";
import { rolesIn } from "../fleet/resolve.js";
import { type AnySession, isIn } from "../fleet/session-list.js";
import type { Hive } from "../hive.js";
import type { Role, SessionId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import type { Workspace } from "../names/workspace.js";
import type { LineageEdge } from "../transcripts/lineage.js";
import type { Problem } from "../transcripts/transcript.js";
import type { Cli } from "./cli.js";
import type { Argument, Input, Option } from "./command.js";
import { hereOrAll } from "./here.js";
import type { SessionRow } from "./sessions-table.js";

export const refArgument: Argument = {
  name: "ref",
  about: "latest, an id or its first 8 digits, a pane, or a role",
  meaning: "pane",
};

export const allOption: Option = { name: "all", about: "of every folder" };

export interface KnownSessions {
  hive: Hive;
  fleet: Fleet;
  /** Null with --all. */
  here: Workspace | null;
  /** Of every folder that is known, newest first. */
  every: readonly AnySession[];
  /** Those of `here`. */
  inside: readonly AnySession[];
  /** Files of claw's that are no sessions where they lie. */
  refused: Sessions["refused"];
  /** What could not be looked at. */
  problems: readonly Problem[];
}

export async function knownSessions(cli: Cli, input: Input): Promise<KnownSessions> {
  const here = hereOrAll(input);
  const hive = await cli.hive();
  const fleet = await hive.observe();
  const { listEverySession } = await import("../fleet/managed-list.js");
  const listed = listEverySession(fleet, windowsOf(cli.env), { env: cli.env, here });
  const { sessions, refused } = listed;
  const inside = here === null ? sessions : sessions.filter((entry) => isIn(entry, here));
  const problems = [...fleet.index.problems, ...listed.problems];
  return { hive, fleet, here, every: sessions, inside, refused, problems };
}

/** The one that REF names, in this folder, with --all anywhere, or where the agent of a pane runs. */
export async function sessionMeant(
  cli: Cli,
  input: Input,
  isRunningElsewhereMeant: boolean,
): Promise<KnownSessions & { entry: AnySession }> {
  const known = await knownSessions(cli, input);
  const { findSession } = await import("../fleet/session-find.js");
  const { hive, fleet, every, here, problems, refused } = known;
  const paneNamed = (typed: string) => hive.paneNamed(fleet, typed);
  const options = { here, paneNamed, roles: rolesThere(known), problems, refused, isRunningElsewhereMeant };
  return { ...known, entry: findSession(input.need("ref"), every, options) };
}

export function rolesThere({ hive, fleet }: Pick<KnownSessions, "hive" | "fleet">): Role[] {
  const roleOf = rolesIn(fleet, hive.stores);
  return fleet.panes.flatMap((pane) => roleOf(pane) ?? []);
}

/** Who came from whom in the families of these sessions. */
export async function edgesAmong(
  found: readonly AnySession[],
  opened: Hive,
  fleet: Fleet,
): Promise<readonly LineageEdge[]> {
  const ids = new Set(found.flatMap((entry) => (entry.store === "transcripts" ? entry.id : [])));
  const kinship = await opened.kinship(relativesOf(fleet, ids));
  const parents = opened.stores.forks.scan({ hasParent: true });
  return edgesOf(fleet, kinship, readRecord(parents), fleet.hooks.lineage);
}

/** One session with what the list shows of it, and who came from it. */
export async function rowOf(
  entry: AnySession,
  every: readonly AnySession[],
  opened: Hive,
  fleet: Fleet,
  env: NodeJS.ProcessEnv,
): Promise<{ row: SessionRow; children: (SessionId | ManagedId)[] }> {
  const { lookAtWorktrees } = await import("../git/worktree.js");
  const folder = entry.workspace?.path;
  const looks = await lookAtWorktrees(folder === undefined ? [] : [folder], { env });
  const fate = fatesOf(every, looks, fleet.takenAtMs).get(entry)!;
  const edges = await edgesAmong([entry], opened, fleet);
  const edge = edges.find(({ child }) => child === entry.id) ?? null;
  const forked = edges.filter(({ parent }) => parent === entry.id).map(({ child }) => child);
  const managed = every.filter(
    (each) => each.store === "managed" && each.parent === entry.id && each.workspace?.path === folder,
  );
  const look = looks.get(folder ?? "") ?? null;
  return { row: { entry, edge, fate, look }, children: [...forked, ...managed.map(({ id }) => id)] };
}
