// A session named at the door: by its id or the beginning of it, by the pane it is in, or by a role.
//
// [SR1] A name that fits nothing, or several, is refused with what there is; it is never guessed.
// [SR2] What looks like the beginning of an id is one, and never a role.
// [SR3] What is not found, and may lie where nobody could look, is not said to be unknown: exit code 3.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { isPaneAddress, isPaneId, isRole, type SessionId } from "../names/gates.js";
import { refuseUnseen } from "../transcripts/hidden.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";

/** `known` may hold sessions that are gone. */
export function sessionNamed(
  typed: string,
  known: ReadonlySet<SessionId>,
  fleet: Fleet,
  paneNamed: (typed: string) => FleetPane,
): SessionId {
  if (hasIdForm(typed)) return sessionBeginning(typed.toLowerCase(), known, fleet);
  if (isPaneId(typed) || isPaneAddress(typed) || isRole(typed)) return sessionIn(paneNamed(typed), fleet);
  refuse(`no session is known as "${harmless(typed.slice(0, 80))}"`, hint);
}

/** A UUID or the beginning of one: eight digits are what tables show of an id. */
export function hasIdForm(typed: string): boolean {
  return prefixForm.test(typed);
}

const prefixForm = /^[0-9a-f]{8}[0-9a-f-]{0,28}$/i;
const hint =
  "give an id or its first 8 digits (hivemind sessions --all), a pane, or a role (hivemind status)";
const mostListed = 10;

function sessionBeginning(prefix: string, known: ReadonlySet<SessionId>, { index }: Fleet): SessionId {
  const found = [...known].filter((id) => id.startsWith(prefix));
  if (found.length > 1) {
    const more = found.length > mostListed ? `, and ${found.length - mostListed} more` : "";
    refuse(`"${prefix}" begins ${found.length} sessions`, found.slice(0, mostListed).join(", ") + more);
  }
  if (found[0] !== undefined) return found[0];
  refuseUnseen(`session ${prefix}`, prefix, index.problems);
  refuse(`no session is known as "${prefix}"`, hint);
}

function sessionIn(pane: FleetPane, fleet: Fleet): SessionId {
  const uuid = fleet.sessions.get(pane.id)?.uuid ?? null;
  return uuid ?? refuse(`no session is known in pane ${pane.address}`, "see what is there: hivemind status");
}

function refuse(message: string, hint: string): never {
  throw new HiveError(message, { hint });
}
