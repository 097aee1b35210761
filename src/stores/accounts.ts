// The client config folders that were seen in use: all of them are searched for transcripts.

import type { Report } from "./error.js";
import { readFolder } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface AccountRow {
  folder: string;
}

export function openAccounts(path: string, report?: Report): RowFile<AccountRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<AccountRow> = {
  rule: "a row is one absolute folder",
  parse(line) {
    const folder = readFolder(line);
    return folder === null ? this.rule : { folder };
  },
  format: ({ folder }) => folder,
  key: ({ folder }) => folder,
};
