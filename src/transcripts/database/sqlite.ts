// SQLite, loaded when a client with a database is first read. The build puts the library and its WebAssembly beside
// the command; the source finds them as a package.
//
// V8 compiles the WebAssembly in several threads, and each of them keeps what it allocated: together a fifth of
// what is resident afterwards. One thread is as fast. Another V8 may not know the setting, and would say so on stderr.

import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { Database } from "node-sqlite3-wasm";
import { once } from "../../base/once.js";

export type { Database };

export const sqlite = once((): { Database: typeof Database } => {
  const built = fileURLToPath(new URL("./sqlite.cjs", import.meta.url));
  if (process.versions.node.startsWith("20.")) setFlagsFromString("--wasm-num-compilation-tasks=1");
  return createRequire(import.meta.url)(existsSync(built) ? built : "node-sqlite3-wasm");
});
