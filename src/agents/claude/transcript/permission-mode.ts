// The permission mode that a conversation is in. The client writes a record of it at the beginning and at each change,
// and `--resume` goes on in the last one.

import { closeSync, fstatSync } from "node:fs";
import { openReadable } from "../../../base/files/atomic-file.js";
import { linesBefore } from "../../../transcripts/scan/lines-before.js";
import { parseRecord } from "../../record.js";

/** Null if the conversation does not say it, or cannot be read. */
export function lastPermissionMode(path: string): string | null {
  const fd = openReadable(path);
  if (fd === null) return null;
  try {
    for (const { text } of linesBefore(fd, 0, fstatSync(fd).size)) {
      const mode = text === null ? null : modeIn(text);
      if (mode !== null) return mode;
    }
    return null;
  } finally {
    closeSync(fd);
  }
}

/** The words alone prove nothing: a message can hold them. */
function modeIn(line: string): string | null {
  if (!line.includes(`"${recordType}"`)) return null;
  const record = parseRecord(line);
  if (record?.type !== recordType || typeof record.permissionMode !== "string") return null;
  return /^[A-Za-z]{1,40}$/.test(record.permissionMode) ? record.permissionMode : null;
}

const recordType = "permission-mode";
