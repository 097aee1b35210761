// What the fields of a row may be: the gates of names/, in the form a row parser needs them.

import {
  isField,
  isPaneAddress,
  isProjectId,
  isRole,
  isSessionId,
  isTeamName,
  type PaneAddress,
  paneAddress,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";

/** Null when there are more or fewer. */
export function splitFields(line: string, atLeast: number, atMost: number = atLeast): string[] | null {
  const fields = line.split("|");
  return fields.length >= atLeast && fields.length <= atMost ? fields : null;
}

/** In its canonical spelling: `a:00.1` is `a:0.1`. */
export function readPane(text: string | undefined): PaneAddress | null {
  return text !== undefined && isPaneAddress(text) ? paneAddress(text) : null;
}

export function readTeam(text: string | undefined): TeamName | null {
  return text !== undefined && isTeamName(text) ? text : null;
}

export function readRole(text: string | undefined): Role | null {
  return text !== undefined && isRole(text) ? text : null;
}

/** Whoever wrote it in capitals meant the same session. */
export function readSession(text: string | undefined): SessionId | null {
  const lower = text?.toLowerCase();
  return lower !== undefined && isSessionId(lower) ? lower : null;
}

export function readProject(text: string | undefined): string | null {
  return text !== undefined && isProjectId(text) ? text : null;
}

export function readText(text: string | undefined): string | null {
  return text !== undefined && isField(text) ? text : null;
}

export function readFolder(text: string | undefined): string | null {
  return text?.startsWith("/") && isField(text) ? text : null;
}

/** Whole and not negative. */
export function readCount(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}
