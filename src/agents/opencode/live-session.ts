// Which conversation a running client is in. It keeps no registry: its arguments say where it began, and the title of
// its pane whether it still shows that conversation.
//
// - The client sets the title of its pane to that of the conversation it shows. If that is another title than the
//   conversation of its arguments has, the client has left it, and nothing tells where it is.
// - Another conversation can have the same title: then a change to it is not seen. Messages name their conversation, so
//   none gets into a wrong one.
// - A client that was started with a port is up when its own process listens.

import { folderOfProcess } from "../../base/system/folder-of-process.js";
import { loopbackPorts } from "../../base/system/listening.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import { type DatabaseSession, mirrored, whyUnread } from "../../transcripts/database/mirror.js";
import type { LiveSession } from "../agent.js";
import { sessionArguments } from "./arguments.js";
import { recognises } from "./recognises.js";
import { isOwnTitle, paneTitle } from "./title.js";
import { opencodeDatabase } from "./transcript/rows.js";
import { commandWords } from "./words.js";

/** Null for a client that still starts, and for one that was started without a conversation. */
export function liveSession(folder: string, process: ProcessInfo, title?: string): LiveSession | null {
  if (!recognises(process)) return null;
  const { began } = sessionArguments(process.args);
  const session = began === null ? null : sessionOf(folder, began);
  if (session === null) return null;
  const ports = loopbackPorts(process.pid);
  const isYoung = Date.now() - process.startedAtMs < limits.startMs;
  const isSilent = commandWords(process.args).options.has("--port") && ports?.length === 0;
  const shown = title !== undefined && isOwnTitle(title) ? title : null;
  const isElsewhere = shown !== null && shown !== paneTitle(session.title);
  if (isYoung && (isSilent || (title !== undefined && shown === null))) return null;
  return {
    sessionId: session.id,
    name: session.title,
    isNameSuffixed: false,
    cwd: folderOfProcess(process.pid),
    version: null,
    activity: null,
    waitingFor: null,
    updatedAtMs: null,
    ...(ports === null || ports.length === 0 ? {} : { inbox: { path: ports.join(" "), pid: process.pid } }),
    ...(isElsewhere
      ? { isLeft: true, reason: "the title of its pane is that of another conversation" }
      : { how: "args", reason: "the process was started with it, and its pane has its title" }),
  };
}

function sessionOf(folder: string, id: SessionId): DatabaseSession | null {
  try {
    return mirrored(folder, opencodeDatabase).get(id) ?? null;
  } catch (error) {
    whyUnread(error);
    return null;
  }
}
