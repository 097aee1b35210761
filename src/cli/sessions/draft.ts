// The first screen of the list of sessions while older transcripts are still being read. Pure.
//
// It has only cells that are final as soon as a session's own file is read. Parents, for example, need every file.

import { textTable } from "../../base/text/table.js";
import { shortId } from "../../names/short-id.js";
import type { Workspace } from "../../names/workspace.js";
import type { Transcript } from "../../transcripts/transcript.js";
import { type Colours, shown } from "../output.js";
import { age, clipped, size } from "./cells.js";

export interface DraftView {
  /** Null: the sessions of every folder. */
  here: Workspace | null;
  /** In lower case. */
  title: string;
  most: number;
  nowMs: number;
  colours: Colours;
}

/** Empty without a row. The transcripts are in the order of the list. */
export function draftLines(newest: Iterable<Transcript>, view: DraftView): string[] {
  const rows: Transcript[] = [];
  for (const transcript of newest) {
    if (rows.length >= view.most) break;
    if (isWanted(transcript, view)) rows.push(transcript);
  }
  if (rows.length === 0) return [];
  const cells = rows.map(({ id, sizeBytes, modifiedAtMs, facts }) => [
    shortId(id),
    shown(facts.messages),
    size(sizeBytes),
    age(modifiedAtMs, view.nowMs),
    clipped(facts.title),
  ]);
  const table = textTable(
    [["SESSION", "MSGS", "SIZE", "AGE", "TITLE"], ...cells],
    ["left", "right", "right", "right"],
  );
  return [view.colours.dim("the newest so far:"), ...table];
}

function isWanted({ facts }: Transcript, { here, title }: DraftView): boolean {
  const isHere = here === null || [facts.firstCwd, facts.lastCwd].includes(here.path);
  return isHere && (facts.title ?? "").toLowerCase().includes(title);
}
