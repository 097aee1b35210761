// Finds the one session that the user named.
//
// - A name is searched in the caller's workspace only; `here` is null if the user asked for every workspace. A pane
//   or role with a running agent names its session from any folder, except in a command that removes.
// - A session of another workspace is a mismatch error that names both folders, never an answer and never "unknown".
//   So is a claw file in this clone that is bound to another.
// - `latest` is the session written to last among those with messages. `latest`, `last` and `recent`, in any case,
//   are not roles.
// - An id, or the beginning of one, is never taken for a role.
// - A name that matches none or several is refused with a list, never guessed. The error names the workspace with
//   its fingerprint and how many sessions are invisible here.
// - If the session may be in an unreadable file or folder, the error names that path, with exit code 3. `latest` is
//   refused the same way while an unreadable session of this workspace may be later.

import { basename, dirname } from "node:path";
import { isOfAnother, type RefusedFile, refusalError } from "../../agents/claw/managed-file.js";
import { placesOf } from "../../agents/claw/places.js";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { isPaneAddress, isPaneId, isRole, type Role, type SessionId } from "../../names/gates.js";
import { isNewestWord } from "../../names/managed-id.js";
import { projectSlug } from "../../names/slug.js";
import type { Workspace } from "../../names/workspace.js";
import { WorkspaceMismatch } from "../../names/workspace-mismatch.js";
import type { Problem } from "../../transcripts/transcript.js";
import { refuseUnseen } from "../../transcripts/unreadable.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { type AnySession, isIn } from "./session-list.js";

export interface FindOptions {
  /** The workspace to search; null for every one. */
  here: Workspace | null;
  /** Finds a pane by its address, id or role, or refuses. */
  paneNamed(typed: string): FleetPane;
  /** The roles of the current panes. */
  roles: readonly Role[];
  /** Claw's files that are not sessions where they are, each with its workspace. */
  refused: readonly (RefusedFile & { workspace: Workspace })[];
  /** Files and folders that could not be read. */
  problems: readonly Problem[];
  /** A session that runs in a pane may be of any workspace. */
  isRunningElsewhereMeant?: boolean;
}

/** `entries` are all known sessions of every workspace, newest first. */
export function findSession(ref: string, entries: readonly AnySession[], options: FindOptions): AnySession {
  const { here, paneNamed, problems, roles, isRunningElsewhereMeant = false } = options;
  if (isNewestWord(ref)) return latestSession(entries, { here, problems });
  const named = entries.filter(
    ({ id }) => id === ref || (hasIdForm(ref) && id.startsWith(ref.toLowerCase())),
  );
  const isAnswered = named.some((entry) => here === null || isIn(entry, here));
  if (!isAnswered) refuseStray(ref, options);
  if (named.length > 0) return theOne(ref, named, here);
  const isPlace = isPaneId(ref) || isPaneAddress(ref) || (isRole(ref) && roles.includes(ref));
  if (hasIdForm(ref)) refuseUnseen(`session ${ref.toLowerCase()}`, ref.toLowerCase(), problems);
  if (hasIdForm(ref) || !isPlace) throw unknown(ref, entries, options);
  const pane = paneNamed(ref);
  const inPane = entries.filter(({ panes }) => panes.some(({ id }) => id === pane.id));
  const isAnywhere = isRunningElsewhereMeant && pane.process !== null;
  if (inPane.length > 0) return theOne(ref, inPane, isAnywhere ? null : here);
  throw new HiveError(`no session is known in pane ${harmless(pane.address)}`, {
    hint: "list the panes: hivemind status",
  });
}

/** Skips sessions without messages. */
export function latestSession(
  entries: readonly AnySession[],
  { here, problems }: Pick<FindOptions, "here" | "problems">,
): AnySession {
  const spoken = entries.filter(({ messages }) => (messages ?? 0) > 0);
  const found = spoken.find((entry) => here === null || isIn(entry, here));
  const isLater = ({ modifiedAtMs = Infinity }: Problem) => modifiedAtMs > (found?.updatedAtMs ?? 0);
  const rivals = problems.filter((problem) => isLater(problem) && mayBeOf(problem, here));
  refuseUnseen(`which session in ${placeOf(here)} is the latest`, "", rivals);
  if (found !== undefined) return found;
  throw new HiveError(`there is no session with messages in ${placeOf(here)}`, {
    hint: spoken.length > 0 ? elsewhere(spoken.length) : "hivemind status",
  });
}

/** By the folder's name: neither the client nor claw, started here, writes to any other folder. */
function mayBeOf({ path }: Problem, here: Workspace | null): boolean {
  const folder = basename(path.endsWith(".jsonl") ? dirname(path) : path);
  return here === null || ["projects", projectSlug(here.path), here.fingerprint].includes(folder);
}

const mostListed = 10;

function theOne(ref: string, found: readonly AnySession[], here: Workspace | null): AnySession {
  const inside = here === null ? found : found.filter((entry) => isIn(entry, here));
  const [only] = inside;
  if (inside.length === 1) return only!;
  if (here !== null && only === undefined) {
    const { id, workspace } = found[0]!;
    throw new WorkspaceMismatch(`session ${id}`, { expected: here, actual: workspace });
  }
  throw new HiveError(`"${harmless(ref)}" matches ${inside.length} sessions`, { hint: listed(inside) });
}

/** If a file with this id is here but may not be read here, the reason is the answer. */
function refuseStray(ref: string, { here, refused }: FindOptions): void {
  const strays = refused.filter(({ id, workspace }) => id === ref && isSeen(workspace, here));
  const stray = strays.find(isOfAnother) ?? strays[0];
  if (stray !== undefined) throw refusalError(stray, stray.workspace);
}

function unknown(ref: string, entries: readonly AnySession[], options: FindOptions): HiveError {
  const { here, roles, refused } = options;
  const inside = here === null ? entries : entries.filter((entry) => isIn(entry, here));
  const strays = refused.filter((file) => isOfAnother(file) && isSeen(file.workspace, here)).length;
  const invisible = entries.length - inside.length + strays;
  const hints = [
    inside.length > 0 ? `sessions: ${listed(inside)}` : "",
    isRole(ref) && roles.length > 0 ? `roles: ${[...new Set(roles)].sort().join(", ")}` : "",
    here === null ? "" : `managed sessions of this folder: ${harmless(placesOf(here).partition)}`,
    invisible > 0 ? elsewhere(invisible) : "",
    inside.length + invisible === 0 ? formsHint : "",
  ];
  const what = `no session in ${placeOf(here)} matches "${harmless(ref.slice(0, 80))}"`;
  return new HiveError(what, { hint: hints.filter(Boolean).join("; ") });
}

function isSeen(workspace: Workspace, here: Workspace | null): boolean {
  return here === null || workspace.path === here.path;
}

const formsHint = "give an id or its first 8 digits, latest, a pane, or a role (hivemind status)";

function placeOf(here: Workspace | null): string {
  return here === null ? "any folder" : `${harmless(here.path)} (fingerprint ${here.fingerprint})`;
}

function elsewhere(count: number): string {
  return `sessions of other folders are hidden here; there are ${count}: hivemind sessions --all`;
}

/** Adds the folder where two sessions have the same id. */
function listed(entries: readonly AnySession[]): string {
  const ids = entries.map(({ id }) => id);
  const names = entries.map(({ id, workspace, path }) => {
    const isAlone = ids.indexOf(id) === ids.lastIndexOf(id);
    return isAlone ? id : `${id} in ${harmless(workspace?.path ?? path ?? "an unknown folder")}`;
  });
  return firstOf(names);
}

function firstOf(names: readonly string[]): string {
  const more = names.length > mostListed ? `, and ${names.length - mostListed} more` : "";
  return names.slice(0, mostListed).join(", ") + more;
}

/** `known` may contain sessions that are gone. */
export function sessionNamed(
  typed: string,
  known: ReadonlySet<SessionId>,
  fleet: Fleet,
  paneNamed: (typed: string) => FleetPane,
): SessionId {
  if (hasIdForm(typed)) return sessionBeginning(typed.toLowerCase(), known, fleet);
  if (!isPaneId(typed) && !isPaneAddress(typed) && !isRole(typed))
    refuse(`no session matches "${harmless(typed.slice(0, 80))}"`, hint);
  const { id, address } = paneNamed(typed);
  const uuid = fleet.sessions.get(id)?.uuid ?? null;
  return uuid ?? refuse(`no session is known in pane ${address}`, "list the panes: hivemind status");
}

/** A UUID or the beginning of one. Tables show eight digits of an id. */
export function hasIdForm(typed: string): boolean {
  return prefixForm.test(typed);
}

const prefixForm = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;
const hint =
  "give an id or its first 8 digits (hivemind sessions --all), a pane, or a role (hivemind status)";

function sessionBeginning(prefix: string, known: ReadonlySet<SessionId>, { index }: Fleet): SessionId {
  const found = [...known].filter((id) => id.startsWith(prefix));
  if (found.length > 1) refuse(`"${prefix}" matches ${found.length} sessions`, firstOf(found));
  if (found[0] !== undefined) return found[0];
  refuseUnseen(`session ${prefix}`, prefix, index.problems);
  refuse(`no session matches "${prefix}"`, hint);
}

function refuse(message: string, hint: string): never {
  throw new HiveError(message, { hint });
}
