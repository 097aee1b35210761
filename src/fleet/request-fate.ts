// What a conversation shows about a request.

import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { rootFor } from "../agents/all.js";
import type { RequestFate, RequestForms } from "../agents/asked.js";
import { openRegular } from "../base/files/atomic-file.js";
import { limits } from "../limits.js";
import { findSession } from "../transcripts/find.js";
import type { FoundRequest } from "./requests.js";

/** By the id of the tool's use. Empty if the conversation does not show the request yet. */
export type Fates = ReadonlyMap<string, RequestFate>;

type Recorded = Pick<FoundRequest, "kind" | "asked" | "file" | "folder">;

/** Whether the conversation shows the request, and none that is open. */
export function isOver(fates: Fates): boolean {
  return fates.size > 0 && [...fates.values()].every((fate) => fate !== "open");
}

/**
 * Without the requests that are over. Equal requests cannot be told apart: the newest are kept, as many as the
 * conversation shows open.
 */
export function stillOpen<R extends { key: string; fates: Fates }>(requests: readonly R[]): R[] {
  const left = requests.filter(({ fates }) => !isOver(fates));
  return left.filter((request, at) => {
    const later = left.slice(at).filter(({ key }) => key === request.key);
    const open = new Set(
      left
        .filter(({ key }) => key === request.key)
        .flatMap(({ fates }) => [...fates].flatMap(([id, fate]) => (fate === "open" ? [id] : []))),
    );
    return open.size === 0 || later.length <= open.size;
  });
}

/** From every file of the conversation: one session id can have several, and the same record in two of them. */
export function fatesOf(request: Recorded, forms: RequestForms): Fates {
  const { file } = request;
  const found = new Map<string, RequestFate>();
  for (const lines of recordsOf(request, forms))
    for (const [id, fate] of forms.fatesIn(lines, file.input!, file.clockAtMs))
      if (certainty.indexOf(fate) >= certainty.indexOf(found.get(id) ?? "open")) found.set(id, fate);
  return found;
}

/** The ends of the files in which the client records the request. */
export function recordsOf({ kind, asked, folder }: Recorded, forms: RequestForms): string[] {
  if (asked.session === null) return [];
  return findSession(rootFor(kind, folder), asked.session).files.map(({ path }) =>
    endOf(forms.recordFile(path, asked)),
  );
}

const certainty: readonly RequestFate[] = ["open", "ended", "denied", "allowed"];

/** The records of a request are the last ones before its answer. */
function endOf(path: string): string {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return "";
  try {
    const { size } = fstatSync(fd);
    const bytes = Buffer.alloc(Math.min(size, limits.transcriptTailBytes.at(-1)!));
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, size - bytes.length)).toString("utf8");
  } finally {
    closeSync(fd);
  }
}
