// The page of a box: whose it is, and every file of it with size and checksum. Pure.
//
// [BXP1] A page that came from elsewhere counts only as a whole: one file that may not be in a box, and all is refused.
// [BXP2] A page of a newer version is refused before anything else of it is looked at.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { parseUtc } from "../base/utc.js";
import { limits } from "../limits.js";
import { type Host, hostName, isTeamName, type TeamName } from "../names/gates.js";
import { isBoxPath } from "./box-text.js";

export interface BoxFile {
  /** In the box. */
  path: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface BoxPage {
  version: 1;
  /** The host it was packed on, as whoever has it calls it. */
  host: Host;
  /** UTC, `…Z`. */
  packedAt: string;
  /** When what is in it was saved; null when it never was. */
  savedAt: string | null;
  teams: TeamName[];
  files: BoxFile[];
}

export function readPage(value: unknown): BoxPage {
  const page = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (page.version !== 1) {
    throw new HiveError(
      `a box of version ${harmless(String(page.version)).slice(0, 20)}; this hivemind knows 1`,
      {
        hint: "update the older hivemind of the two",
      },
    );
  }
  const { host, packedAt, savedAt, teams, files } = page;
  if (typeof host !== "string") throw bad("no host");
  if (!isListOf(teams, (team): team is TeamName => typeof team === "string" && isTeamName(team)))
    throw bad("what is no team name");
  if (!isListOf(files, isBoxFile)) throw bad("a file that has no place in a box");
  if (files.length > limits.boxFiles) throw bad(`${files.length} files`);
  refuseLarge(files);
  if (new Set(files.map(({ path }) => path)).size < files.length) throw bad("one file twice");
  const isTime = (value: unknown): value is string => typeof value === "string" && parseUtc(value) !== null;
  if (!isTime(packedAt) || !(savedAt === null || isTime(savedAt))) throw bad("what is no time");
  const own = files.map(({ path, sizeBytes, sha256 }) => ({ path, sizeBytes, sha256 }));
  return { version: 1, host: hostName(host), packedAt, savedAt, teams, files: own };
}

/** Also before it is sent: the other side would refuse it, and may be an older one that does not. */
export function refuseLarge(files: readonly BoxFile[]): void {
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes <= limits.boxBytes) return;
  throw new HiveError(`a box of ${bytes} bytes is refused: ${limits.boxBytes} are the most`, {
    hint: "take one team at a time, or fewer conversations",
  });
}

function isListOf<T>(value: unknown, is: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isBoxFile(value: unknown): value is BoxFile {
  const { path, sizeBytes, sha256 } = (value ?? {}) as Record<string, unknown>;
  const isSize = Number.isSafeInteger(sizeBytes) && (sizeBytes as number) >= 0;
  if (typeof path !== "string" || !isBoxPath(path) || !isSize) return false;
  return (sizeBytes as number) <= limits.boxFileBytes && /^[0-9a-f]{64}$/.test(String(sha256));
}

function bad(what: string): HiveError {
  return new HiveError(`the page of this box is refused: it has ${what}`);
}
