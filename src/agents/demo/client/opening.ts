// Which conversation a launch opens, with the refusals of the real client.
//
// [DO1] An id is in use, and a conversation exists, only if its transcript lies under the slug of this very folder.
// [DO2] A refused launch leaves no trace on disk.

import { HiveError } from "../../../base/errors.js";
import { isSessionId, type SessionId } from "../../../names/gates.js";
import type { Launch } from "./arguments.js";
import { type Conversation, forked, newConversation, readConversation } from "./conversation.js";
import { hasTranscript, readTranscript, transcriptPath } from "./transcript-file.js";

export interface Place {
  configDir: string;
  cwd: string;
}

export interface OpeningRules {
  failsResume: boolean;
}

export function openConversation(launch: Launch, place: Place, rules: OpeningRules): Conversation {
  if (
    launch.sessionId !== null &&
    hasTranscript(transcriptPath(place.configDir, place.cwd, launch.sessionId))
  ) {
    throw new HiveError(`Error: Session ID ${launch.sessionId} is already in use.`);
  }
  if (launch.resume === null) return newConversation(launch.sessionId ?? newId(), launch.name);
  const found = rules.failsResume ? null : findConversation(launch.resume, place);
  if (found === null) throw new HiveError(`No conversation found with session ID: ${launch.resume}`);
  if (!launch.isFork) return found;
  return forked(found, launch.sessionId ?? newId(), launch.name ?? found.title);
}

export function findConversation(id: string, { configDir, cwd }: Place): Conversation | null {
  const wanted = id.toLowerCase();
  if (!isSessionId(wanted)) return null;
  const path = transcriptPath(configDir, cwd, wanted);
  return hasTranscript(path) ? readConversation(wanted, readTranscript(path)) : null;
}

export function newId(): SessionId {
  return crypto.randomUUID() as string as SessionId;
}
