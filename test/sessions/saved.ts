// Conversations that lie on disk, and commands that change them.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import type { SessionId } from "../../src/names/gates.js";
import { projectSlug } from "../../src/names/slug.js";
import { hivemind, type Ran } from "../command.js";
import { contentsOf } from "../contents.js";
import type { TestHome } from "../home.js";
import { idOf, title, transcriptPath, user, writeTranscript } from "../transcripts/files.js";

export interface Saved {
  id: SessionId;
  path: string;
}

/** One of Claude's, in which one question was answered. */
export function saved(home: TestHome, number: number, cwd: string = home.work): Saved {
  const id = idOf(number);
  const real = realPathOr(cwd);
  const path = transcriptPath(home.claude, id, projectSlug(real));
  const facts = { cwd: real, sessionId: id };
  const content = [{ type: "text", text: `answer ${number}` }];
  const answer = { ...facts, type: "assistant", parentUuid: `q${number}`, message: { content } };
  writeTranscript(path, title(`talk ${number}`), user(`q${number}`, facts), user(`a${number}`, answer));
  return { id, path };
}

/** One of claw's. */
export async function managed(home: TestHome, folder: string = home.work): Promise<Saved & { id: string }> {
  const message = { type: "message", message: { role: "user", blocks: [{ type: "text", text: "hello" }] } };
  const handle = await openManagedSessions({ folder, env: home.env }).create({ records: [message] });
  handle.close();
  return { id: handle.id as string as SessionId, path: handle.path };
}

/** All that a command may change, but for the disposable cache. */
export function everything({ home, claude, work }: TestHome): Record<string, string>[] {
  return [home, claude, work].map(contentsOf);
}

/** The command, in the folder of the sessions. */
export function sessions(home: TestHome, ...args: string[]): Ran {
  return hivemind(home, ["sessions", ...args]);
}

export function events(home: TestHome): string[] {
  const text = contentsOf(home.config)["hivemind.events.log"] ?? "";
  return text.split("\n").flatMap((line) => line.split("|").slice(1).join(" ") || []);
}

export function forkRows(home: TestHome): string[] {
  const text = contentsOf(home.config)["hivemind.forks.env"] ?? "";
  return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
}

export const inConfig = (home: TestHome, ...names: string[]) => join(home.config, ...names);

function realPathOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
