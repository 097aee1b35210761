// The one session that a person means, found among those that there are.
//
// [SEF1] A name is looked for in the workspace of the caller only; `here` null means every workspace, and was asked for.
//        A pane or role whose agent runs names its session from any folder, except to a command that removes.
// [SEF2] A session that is there but belongs to another workspace is a mismatch that names both folders, never an
//        answer and never "unknown". So is a file of claw's that lies in this clone and is bound to another.
// [SEF3] `latest` is the one that was written to last, of those in which something was said.
// [SEF4] What fits nothing, or several, is refused with what there is.
// [SEF5] An id is an id before it is a role, and `latest`, `last` and `recent`, in any case, are no roles. A name that is
//        neither is said to be no session, with the folder of its fingerprint and how many sessions are invisible here.
// [SEF6] What is not found, and may lie where nobody could look, is not said to be unknown; `latest` names nobody while a
//        session of this workspace that could not be read may be later. Either with that path and exit code 3.

import { basename, dirname } from "node:path";
import { isOfAnother, type RefusedFile, refusalError } from "../agents/claw/managed-file.js";
import { placesOf } from "../agents/claw/places.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { isPaneAddress, isPaneId, isRole, type Role } from "../names/gates.js";
import { isNewestWord } from "../names/managed-id.js";
import { projectSlug } from "../names/slug.js";
import type { Workspace } from "../names/workspace.js";
import { WorkspaceMismatch } from "../names/workspace-mismatch.js";
import { refuseUnseen } from "../transcripts/hidden.js";
import type { Problem } from "../transcripts/transcript.js";
import type { FleetPane } from "./panes.js";
import { type AnySession, isIn } from "./session-list.js";
import { hasIdForm } from "./session-ref.js";

export interface FindOptions {
  /** The workspace that is looked into; null for every one. */
  here: Workspace | null;
  /** A pane by its address, id or role; what is none is refused there. */
  paneNamed(typed: string): FleetPane;
  /** The roles of the panes that are there. */
  roles: readonly Role[];
  /** Files of claw's that are no sessions where they lie, each with the workspace it lies in. */
  refused: readonly (RefusedFile & { workspace: Workspace })[];
  /** What could not be looked at. */
  problems: readonly Problem[];
  /** What runs in a pane may be of any workspace. */
  isRunningElsewhereMeant?: boolean;
}

/** `entries` are all that are known, of every workspace, newest first. */
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
    hint: "see what is there: hivemind status",
  });
}

/** Sessions that nobody has said a word in are passed over. */
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

/** By the folder's name: a client that is started here writes nowhere else, nor does claw. */
function mayBeOf({ path }: Problem, here: Workspace | null): boolean {
  const folder = basename(path.endsWith(".jsonl") ? dirname(path) : path);
  return here === null || ["projects", projectSlug(here.path), here.fingerprint].includes(folder);
}

const mostListed = 10;

function theOne(ref: string, found: readonly AnySession[], here: Workspace | null): AnySession {
  const inside = here === null ? found : found.filter((entry) => isIn(entry, here));
  const [only] = inside;
  if (inside.length === 1) return only!;
  if (here !== null && only === undefined) throw otherFolder(found, here);
  throw new HiveError(`"${harmless(ref)}" names ${inside.length} sessions`, { hint: listed(inside) });
}

function otherFolder(found: readonly AnySession[], here: Workspace): HiveError {
  const [{ id, workspace }] = found as [AnySession];
  return new WorkspaceMismatch(`session ${id}`, { expected: here, actual: workspace });
}

/** A file of this id that lies here and may not be read here; the reason why is the answer. */
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
    inside.length > 0 ? `there are: ${listed(inside)}` : "",
    isRole(ref) && roles.length > 0 ? `roles: ${[...new Set(roles)].sort().join(", ")}` : "",
    here === null ? "" : `managed sessions of this folder: ${harmless(placesOf(here).partition)}`,
    invisible > 0 ? elsewhere(invisible) : "",
    inside.length + invisible === 0 ? formsHint : "",
  ];
  const what = `no session in ${placeOf(here)} is known as "${harmless(ref.slice(0, 80))}"`;
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
  return `sessions of other folders are invisible here on purpose; there are ${count}: hivemind sessions --all`;
}

/** Where two have one id, the folders tell them apart. */
function listed(entries: readonly AnySession[]): string {
  const ids = entries.map(({ id }) => id);
  const names = entries.map(({ id, workspace, path }) => {
    const isAlone = ids.indexOf(id) === ids.lastIndexOf(id);
    return isAlone ? id : `${id} in ${harmless(workspace?.path ?? path ?? "an unknown folder")}`;
  });
  const more = names.length > mostListed ? `, and ${names.length - mostListed} more` : "";
  return names.slice(0, mostListed).join(", ") + more;
}
