// The client folders seen in use. All of them are searched for transcripts.

import { type AgentKind, isAgentKind } from "../names/kind.js";
import { readFolder } from "./file/fields.js";
import type { RowFormat } from "./file/row-lines.js";

export interface AccountRow {
  /** Whose folder it is. */
  kind: AgentKind;
  folder: string;
}

const rule = "a row is one absolute folder, and |kind if it is not Claude Code's";

export const accountFormat: RowFormat<AccountRow> = {
  rule,
  parse(line) {
    const [text = "", kind = "claude", ...more] = line.split("|");
    const folder = readFolder(text);
    return folder === undefined || !isAgentKind(kind) || more.length > 0 ? rule : { folder, kind };
  },
  format: ({ folder, kind }) => (kind === "claude" ? folder : `${folder}|${kind}`),
  key: ({ folder, kind }) => `${kind} ${folder}`,
};
