// The client config folders seen in use. All of them are searched for transcripts.

import { readFolder, rowFormat } from "./file/fields.js";

export interface AccountRow {
  folder: string;
}

export const accountFormat = rowFormat<AccountRow>(
  "a row is one absolute folder",
  { folder: readFolder },
  ({ folder }) => folder,
);
