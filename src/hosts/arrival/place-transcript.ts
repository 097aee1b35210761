// Places a transcript of a bundle where the client looks for it, for the folder that its session works in here.
//
// - It lies under the slug of the target folder, with that folder in its records instead of the remote one.
// - An existing transcript stays if it is the same or longer. It is replaced only by one that contains every byte of
//   it, and only while no process uses it. Anything else is refused.
// - No id gets into two folders.

import { join } from "node:path";
import { type FolderMove, movedFolder, movedLines } from "../../agents/claude/transcript/moved-lines.js";
import { readTranscript } from "../../agents/claude/transcript/offline-fork.js";
import { HiveError } from "../../base/errors.js";
import { createFile, replaceFile } from "../../base/files/atomic-file.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { shellWord } from "../../base/text/shell-word.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { projectSlug } from "../../names/slug.js";
import { openWorkspace } from "../../names/workspace.js";
import { guard } from "../../stores/file/error.js";
import { isThere } from "../../stores/file/whole-files.js";
import { workFolderOf } from "../../teams/start/session-folder.js";
import type { Transcript } from "../../transcripts/transcript.js";
import { mapped } from "../folder-map.js";

export interface Placing {
  /** As it will be here. */
  transcript: Transcript;
  /** The path in the bundle. */
  from: string;
  move: FolderMove;
}

/** `folder` is the folder of the row, for records without one. Null if neither has one. */
export function placingOf(
  transcript: Transcript,
  folder: string,
  maps: readonly FolderMove[],
  clientFolder: string,
): Placing | null {
  const far = workFolderOf(transcript) ?? folder;
  if (!far.startsWith("/")) return null;
  const move = { from: far, to: openWorkspace(mapped(far, maps)).path };
  const { firstCwd, lastCwd } = transcript.facts;
  const inRecords = (cwd: string | null) => movedFolder({ cwd }, move).cwd ?? cwd;
  const facts = { ...transcript.facts, firstCwd: inRecords(firstCwd), lastCwd: inRecords(lastCwd) };
  const path = placeIn(clientFolder, move.to, transcript.id);
  return { transcript: { ...transcript, path, facts }, from: transcript.path, move };
}

/** Where a client started in this folder looks for it. */
export function placeIn(clientFolder: string, folder: string, id: SessionId): string {
  return join(clientFolder, "projects", projectSlug(openWorkspace(folder).path), `${id}.jsonl`);
}

/** The checks that are possible before it arrives. `here` are the transcripts with that id on this host. */
export function refuseElsewhere(
  transcript: Pick<Transcript, "id" | "path" | "sizeBytes">,
  move: FolderMove,
  here: readonly Transcript[],
): void {
  if (transcript.sizeBytes > limits.offlineBytes) {
    throw new HiveError(`session ${transcript.id} is too large to move here: ${transcript.sizeBytes} bytes`, {
      hint: `at most ${limits.offlineBytes} can be rewritten for another folder`,
    });
  }
  const elsewhere = here.find(({ path }) => path !== transcript.path);
  if (elsewhere !== undefined) {
    const home = workFolderOf(elsewhere);
    throw new HiveError(
      `session ${transcript.id} is already here, in ${harmless(home ?? elsewhere.path)}`,
      home === null ? {} : { hint: `map to that folder: --map ${shellWord(`${move.from}=${home}`)}` },
    );
  }
}

/** Call this before anything is placed. */
export function refuseOther(placing: Placing, here: readonly Transcript[], isHeld: boolean): void {
  const { transcript, move } = placing;
  refuseElsewhere(transcript, move, here);
  if (!isThere(transcript.path)) return;
  const relation = compare(readTranscript(transcript.path), arriving(placing));
  if (relation === "other" || (relation === "behind" && isHeld)) {
    throw new HiveError(
      relation === "other"
        ? `session ${transcript.id} has different continuations here and there: ${harmless(transcript.path)} is left as it is`
        : `session ${transcript.id} runs here, but has continued there`,
      { hint: relation === "other" ? "continue with the one that is here" : "end it here first" },
    );
  }
}

/** Call this after `refuseOther` passed for all. */
export function placeTranscript(placing: Placing): void {
  const { path } = placing.transcript;
  const bytes = arriving(placing);
  guard(path, () => {
    if (createFile(path, bytes)) return;
    // Compared again, because it may have grown since.
    if (compare(readTranscript(path), bytes) === "behind") replaceFile(path, bytes);
  });
}

function arriving({ from, move }: Placing): Buffer {
  return move.from === move.to ? readTranscript(from) : movedLines(readTranscript(from), move);
}

/** How the transcript here compares to the arriving one. */
function compare(here: Buffer, arrived: Buffer): "same" | "ahead" | "behind" | "other" {
  const shared = Math.min(here.length, arrived.length);
  if (!here.subarray(0, shared).equals(arrived.subarray(0, shared))) return "other";
  return here.length === arrived.length ? "same" : here.length > shared ? "ahead" : "behind";
}
