// Folders and session files for the tests of the managed store, all inside one test's home.

import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import type { ManagedRecord } from "../../src/agents/claw/records.js";
import { testHome } from "../home.js";

export function clawHome() {
  const home = testHome();
  const root = realpathSync(home.root);
  return {
    ...home,
    root,
    /** A folder of that name, as its canonical path. */
    folder(name: string): string {
      const path = join(root, name);
      mkdirSync(path, { recursive: true });
      return path;
    },
    open: (folder: string, dataFolder?: string) =>
      openManagedSessions({ folder, env: home.env, ...(dataFolder === undefined ? {} : { dataFolder }) }),
  };
}

export function said(text: string, role = "user"): ManagedRecord {
  return { type: "message", message: { role, blocks: [{ type: "text", text }] } };
}

/** Written as another program would: each line as given. */
export function write(path: string, ...lines: (object | string)[]): string {
  mkdirSync(dirname(path), { recursive: true });
  const text = lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`));
  writeFileSync(path, text.join(""));
  return path;
}

export function meta(id: string, more: object = {}): object {
  return { type: "session_meta", version: 1, session_id: id, created_at_ms: 5, updated_at_ms: 6, ...more };
}

export function texts(records: readonly ManagedRecord[]): string[] {
  return records.flatMap(({ message }) => {
    const { blocks } = (message ?? { blocks: [] }) as { blocks: { text: string }[] };
    return blocks.map(({ text }) => text);
  });
}
