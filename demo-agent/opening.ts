// Opens the conversation of a launch, or refuses with the real client's errors.
//
// An id is in use, and a conversation exists, only if its transcript is under the slug of the current folder. A
// refused launch leaves no trace on disk.

import { existsSync } from "node:fs";
import { HiveError } from "../src/base/errors.js";
import { isSessionId, type SessionId } from "../src/names/gates.js";
import type { Launch } from "./arguments.js";
import { type Conversation, forked, newConversation, readConversation } from "./conversation.js";
import { readTranscript, transcriptPath } from "./files/transcript-file.js";
import type { Knobs } from "./knobs.js";

export interface Place {
  configDir: string;
  cwd: string;
}

export function openConversation(
  launch: Launch,
  place: Place,
  { failsResume }: Pick<Knobs, "failsResume">,
): Conversation {
  const { configDir, cwd } = place;
  if (launch.sessionId !== null && existsSync(transcriptPath(configDir, cwd, launch.sessionId))) {
    throw new HiveError(`Error: Session ID ${launch.sessionId} is already in use.`);
  }
  if (launch.resume === null) return newConversation(launch.sessionId ?? newId(), launch.name);
  const found = failsResume ? null : findConversation(launch.resume, place);
  if (found === null) throw new HiveError(`No conversation found with session ID: ${launch.resume}`);
  if (!launch.isFork) return found;
  return forked(found, launch.sessionId ?? newId(), launch.name ?? found.title);
}

export function findConversation(id: string, { configDir, cwd }: Place): Conversation | null {
  const wanted = id.toLowerCase();
  if (!isSessionId(wanted)) return null;
  const path = transcriptPath(configDir, cwd, wanted);
  return existsSync(path) ? readConversation(wanted, readTranscript(path)) : null;
}

export function newId(): SessionId {
  return crypto.randomUUID() as string as SessionId;
}
