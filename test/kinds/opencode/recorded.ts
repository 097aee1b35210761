// A database that the real program wrote: three conversations, one of them a fork.

import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sqlite } from "../../../src/transcripts/database/sqlite.js";

/** Makes the client's folder, with conversations of this folder of work. */
export function recordedDatabase(folder: string, work: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "opencode.db");
  const text = readFileSync(new URL("recorded.sql", import.meta.url), "utf8");
  const database = new (sqlite().Database)(path);
  database.exec(`BEGIN;${text.replaceAll("/home/somebody/w", work)}COMMIT;`);
  database.close();
  return path;
}
