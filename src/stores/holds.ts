// What a person said about agents: whom to keep messages from (HELD), and who may send commands (COMMANDS).

import { parseUtc } from "../base/utc.js";
import type { PaneAddress } from "../names/gates.js";
import type { Report } from "./error.js";
import { readPane, readText, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export const holdWords = ["HELD", "COMMANDS"] as const;
export type HoldWord = (typeof holdWords)[number];

export interface HoldRow {
  pane: PaneAddress;
  word: HoldWord;
  /** UTC, `…Z`. */
  since: string;
  by: string;
}

/** The row of this pane with this word, if any. */
export function holdOf(
  { holds }: { holds: RowFile<HoldRow> },
  pane: string,
  word: HoldWord,
): HoldRow | undefined {
  return holds.read().rows.find((row) => row.pane === pane && row.word === word);
}

export function openHolds(path: string, report?: Report): RowFile<HoldRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<HoldRow> = {
  rule: "a row is pane|HELD or COMMANDS|time|by",
  parse(line) {
    const fields = splitFields(line, 4);
    const pane = readPane(fields?.[0]);
    const word = holdWords.find((known) => known === fields?.[1]);
    const since = fields?.[2] ?? "";
    const by = readText(fields?.[3]);
    if (pane === null || word === undefined || parseUtc(since) === null || by === null) return this.rule;
    return { pane, word, since, by };
  },
  format: ({ pane, word, since, by }) => `${pane}|${word}|${since}|${by}`,
  key: ({ pane, word }) => `${pane}|${word}`,
};
