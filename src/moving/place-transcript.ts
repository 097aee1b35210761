// A transcript of a box comes to where the client looks for it from the folder that its session works in here.
//
// [PLC1] It lies under the slug of the target folder, with that folder in its records instead of the far one.
// [PLC2] Nothing here is overwritten by something else: what is there stays if it is the same or has gone on since; it is
//        replaced only by one that has every byte of it, and while nobody works in it. Anything else is refused.
// [PLC3] No id comes into two folders.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type FolderMove, movedFolder, movedLines } from "../agents/claude/moved-lines.js";
import { readTranscript } from "../agents/claude/offline-fork.js";
import { createFile, replaceFile } from "../base/atomic-file.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import { guard } from "../stores/error.js";
import { isThere } from "../stores/whole-files.js";
import { workFolderOf } from "../teams/session-folder.js";
import type { Transcript } from "../transcripts/transcript.js";
import { mapped } from "./folder-map.js";

export interface Placing {
  /** As it will be here. */
  transcript: Transcript;
  /** In the box. */
  from: string;
  move: FolderMove;
}

/** `folder` is what the row says, for records that do not name theirs; null where nothing does. */
export function placingOf(
  transcript: Transcript,
  folder: string,
  maps: readonly FolderMove[],
  clientFolder: string,
): Placing | null {
  const far = workFolderOf(transcript) ?? folder;
  if (!far.startsWith("/")) return null;
  const move = { from: far, to: realOr(mapped(far, maps)) };
  const { firstCwd, lastCwd } = transcript.facts;
  const inRecords = (cwd: string | null) => movedFolder({ cwd }, move).cwd ?? cwd;
  const facts = { ...transcript.facts, firstCwd: inRecords(firstCwd), lastCwd: inRecords(lastCwd) };
  const path = placeIn(clientFolder, move.to, transcript.id);
  return { transcript: { ...transcript, path, facts }, from: transcript.path, move };
}

/** Where a client that is started in this folder looks for it. */
export function placeIn(clientFolder: string, folder: string, id: SessionId): string {
  return join(clientFolder, "projects", projectSlug(realOr(folder)), `${id}.jsonl`);
}

/** What can be said of it before it has come. `here` are the transcripts of that id that are here. */
export function refuseElsewhere(
  transcript: Pick<Transcript, "id" | "path" | "sizeBytes">,
  move: FolderMove,
  here: readonly Transcript[],
): void {
  if (transcript.sizeBytes > limits.offlineBytes) {
    throw new HiveError(`session ${transcript.id} is too large to come here: ${transcript.sizeBytes} bytes`, {
      hint: `at most ${limits.offlineBytes} can be rewritten for another folder`,
    });
  }
  const elsewhere = here.find(({ path }) => path !== transcript.path);
  if (elsewhere !== undefined) {
    const home = workFolderOf(elsewhere);
    throw new HiveError(
      `session ${transcript.id} is here already, in ${harmless(home ?? elsewhere.path)}`,
      home === null ? {} : { hint: `bring it there: --map ${shellWord(`${move.from}=${home}`)}` },
    );
  }
}

/** Before anything is placed. */
export function refuseOther(placing: Placing, here: readonly Transcript[], isHeld: boolean): void {
  const { transcript, move } = placing;
  refuseElsewhere(transcript, move, here);
  if (!isThere(transcript.path)) return;
  const relation = compare(readTranscript(transcript.path), arriving(placing));
  if (relation === "other" || (relation === "behind" && isHeld)) {
    throw new HiveError(
      relation === "other"
        ? `session ${transcript.id} has gone on here and there, in two ways: ${harmless(transcript.path)} is left as it is`
        : `session ${transcript.id} runs here, and has gone on there`,
      { hint: relation === "other" ? "go on with the one that is here" : "end it here first" },
    );
  }
}

/** After `refuseOther` of all. */
export function placeTranscript(placing: Placing): void {
  const { path } = placing.transcript;
  const bytes = arriving(placing);
  guard(path, () => {
    if (createFile(path, bytes)) return;
    // Again, for it may have grown since.
    if (compare(readTranscript(path), bytes) === "behind") replaceFile(path, bytes);
  });
}

function arriving({ from, move }: Placing): Buffer {
  return move.from === move.to ? readTranscript(from) : movedLines(readTranscript(from), move);
}

/** How what is here stands to what arrives. */
function compare(here: Buffer, arrived: Buffer): "same" | "ahead" | "behind" | "other" {
  const shared = Math.min(here.length, arrived.length);
  if (!here.subarray(0, shared).equals(arrived.subarray(0, shared))) return "other";
  return here.length === arrived.length ? "same" : here.length > shared ? "ahead" : "behind";
}

function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
