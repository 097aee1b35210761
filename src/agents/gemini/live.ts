// Which session a running client is in. It keeps no registry: its arguments say where it began, and its log of inputs
// whether it left.
//
// - While it starts, it is in no session yet. It is in one when it wrote to its file: it touches it at a start and at
//   a resume. Another start may have deleted that file since, so a client that is old enough, or older than another
//   session of its folder, counts too.
// - A process without a session in its arguments is in an unknown one.

import { readFileSync, statSync } from "node:fs";
import { folderOfProcess } from "../../base/system/folder-of-process.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import type { LiveSession } from "../agent.js";
import { sessionArguments } from "./arguments.js";
import { inputsIn, readHead, type SessionFile, sessionFilesIn, slugFolderFor, slugFolders } from "./find.js";
import { type Input, type RecordedPrompt, type WhereNow, whereNow } from "./inputs.js";
import { isPrompt, messageIn, typedText } from "./transcript/record.js";

export function liveSession(home: string, process: ProcessInfo): LiveSession | null {
  const { began } = sessionArguments(process.args);
  const cwd = folderOfProcess(process.pid);
  const slugFolder = began === null ? null : slugFolderOf(home, cwd, began);
  if (began === null || slugFolder === null) return null;
  const files = sessionFilesIn(slugFolder);
  if (!isUp(process, began, files)) return null;
  const sinceMs = process.startedAtMs;
  const inputs = inputsIn(slugFolder).filter((input) => input.began === began && input.atMs >= sinceMs);
  const where = whereNow(began, sinceMs, inputs, () => promptsIn(files, inputs));
  return { ...nothingElse, cwd, ...sessionIn(began, where) };
}

const nothingElse = {
  name: null,
  isNameSuffixed: false,
  version: null,
  activity: null,
  waitingFor: null,
  updatedAtMs: null,
} as const;

function sessionIn(began: SessionId, where: WhereNow) {
  switch (where.kind) {
    case "began":
      return {
        sessionId: began,
        how: "args",
        reason: "the process was started with it and never left it",
      } as const;
    case "moved":
      return {
        sessionId: where.session,
        how: "records",
        reason: "it recorded the last message that the process got, by the client's log of inputs",
      } as const;
    case "unknown":
      return { sessionId: began, isLeft: true, reason: where.why } as const;
  }
}

function slugFolderOf(home: string, cwd: string | null, began: SessionId): string | null {
  if (cwd !== null) return slugFolderFor(home, cwd);
  const short = began.slice(0, 8);
  return slugFolders(home).find((each) => sessionFilesIn(each).some((file) => file.short === short)) ?? null;
}

function isUp({ startedAtMs }: ProcessInfo, began: SessionId, files: readonly SessionFile[]): boolean {
  if (Date.now() - startedAtMs > limits.startMs) return true;
  const isTouched = ({ path }: SessionFile) => (modifiedAtMs(path) ?? 0) >= startedAtMs;
  if (files.some((file) => file.short === began.slice(0, 8) && isTouched(file))) return true;
  return files.some((file) => isTouched(file) && (readHead(file.path)?.startedAtMs ?? 0) > startedAtMs);
}

function modifiedAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** The prompts of the sessions that were written since the first of these inputs. */
function promptsIn(files: readonly SessionFile[], inputs: readonly Input[]): RecordedPrompt[] {
  const sinceMs = inputs[0]?.atMs ?? 0;
  return files.flatMap(({ path }) => {
    const id = (modifiedAtMs(path) ?? 0) < sinceMs ? null : (readHead(path)?.id ?? null);
    return id === null ? [] : promptsOf(path, id).filter(({ atMs }) => atMs >= sinceMs);
  });
}

function promptsOf(path: string, session: SessionId): RecordedPrompt[] {
  const lines = textOf(path).split("\n").slice(0, -1);
  return lines.flatMap((line) => {
    const message = messageIn(line);
    if (message === null || message.atMs === null || !isPrompt(message)) return [];
    return [{ session, text: typedText(message), atMs: message.atMs }];
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
