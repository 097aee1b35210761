// Which panes an operator holds: what is sent to them waits.

import { parseUtc } from "../base/utc.js";
import type { PaneAddress } from "../names/gates.js";
import type { Report } from "./error.js";
import { readPane, readText, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface HoldRow {
  pane: PaneAddress;
  /** UTC, `…Z`. */
  since: string;
  by: string;
}

export function openHolds(path: string, report?: Report): RowFile<HoldRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<HoldRow> = {
  rule: "a row is pane|HELD|time|by",
  parse(line) {
    const fields = splitFields(line, 4);
    const pane = readPane(fields?.[0]);
    const since = fields?.[2] ?? "";
    const by = readText(fields?.[3]);
    if (pane === null || fields?.[1] !== "HELD" || parseUtc(since) === null || by === null) return this.rule;
    return { pane, since, by };
  },
  format: ({ pane, since, by }) => `${pane}|HELD|${since}|${by}`,
  key: ({ pane }) => pane,
};
