// Programs that take over the terminal for a while: the user's editor, and hivemind's own commands.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import { createFile, removeFile } from "../base/files/atomic-file.js";
import { randomHex } from "../base/random.js";

/** Resolves to the exit code; null if a signal ended it. */
export function runHere(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  const [program = "", ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: "inherit", env });
    child.on("error", reject);
    child.on("exit", resolve);
  });
}

/** What the user wrote; null if the editor failed or nothing was written. */
export async function writeInEditor(env: NodeJS.ProcessEnv): Promise<string | null> {
  const editor = env.VISUAL || env.EDITOR || "vi";
  const path = join(env.TMPDIR || tmpdir(), `hivemind-message-${randomHex(6)}.md`);
  if (!createFile(path, "")) throw new HiveError(`${path} exists already`);
  try {
    // The variable may hold options: `code --wait`. Its words are the user's own, and no shell sees them.
    const code = await runHere([...editor.split(/\s+/).filter(Boolean), path], env);
    const text = readFileSync(path, "utf8").trim();
    return code === 0 && text !== "" ? text : null;
  } finally {
    removeFile(path);
  }
}
