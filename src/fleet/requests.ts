// The requests of running clients that wait for a person, each under an id of its own.
//
// [RQ4] A request is open only while its hook waits as a child of the very client that it names. A request of another
//       pid namespace is not: its pids mean other processes here.
// [RQ5] An agent's own requests are gone once its client reports anything but waiting, or waits anew. Tools that run in
//       parallel ask at the same moment, and are open together. If the client reports nothing, only the newest is open.
//       A sub-agent's request is open as long as its hook waits.
// [RQ6] A request's id is made from all its bytes and a random name: a changed request has another id.

import { createHash } from "node:crypto";
import type { LiveSession } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { Asked } from "../agents/asked.js";
import type { ProcessInfo, ProcessReader } from "../base/system/process.js";
import { limits } from "../limits.js";
import type { Kind } from "../names/kind.js";
import { type RequestId, requestId } from "../names/request-id.js";
import type { RequestFile } from "../stores/hooks/requests.js";
import { isOfProcess } from "./identity/hook-claims.js";
import type { FleetPane, Panes } from "./panes.js";

export interface OpenRequest {
  id: RequestId;
  asked: Asked;
  file: RequestFile;
}

/** A request, and who asks. */
export interface FoundRequest extends OpenRequest {
  kind: Kind;
  /** The config folder of its client. */
  folder: string;
  /** Null for a conversation in the background that no pane shows. */
  pane: FleetPane | null;
  /** The name of the agent for people. */
  who: string;
}

/** Every open request of the fleet, the oldest first. */
export function openRequests({ panes, background }: Pick<Panes, "panes" | "background">): FoundRequest[] {
  const inPanes = panes.flatMap((pane) =>
    (pane.requests ?? []).map((request) => ({
      ...request,
      ...{ kind: pane.kind, folder: pane.folder ?? "", pane, who: pane.agent?.role ?? pane.address },
    })),
  );
  const elsewhere = background.flatMap(({ agent, folder, live, requests = [] }) =>
    requests.map((request) => ({
      ...request,
      ...{ kind: agent.kind, folder, pane: null, who: live.name ?? live.job },
    })),
  );
  return [...inPanes, ...elsewhere].sort((a, b) => a.file.atMs - b.file.atMs);
}

interface Asker {
  kind: Kind;
  process: Pick<ProcessInfo, "pid"> | null;
  live: Pick<LiveSession, "activity" | "activitySinceMs"> | null;
}

/** The open requests of one client, the oldest first. */
export function requestsOf(
  files: readonly RequestFile[],
  { kind, process, live }: Asker,
  { findProcess }: Pick<ProcessReader, "findProcess">,
): OpenRequest[] {
  const forms = agentOfKind(kind)?.requests;
  if (forms === undefined || process === null) return [];
  const own = files.flatMap((file): OpenRequest[] => {
    const asked =
      !isOfProcess(file, { pid: process.pid }) || file.input === null ? null : forms.read(file.input);
    return asked === null ? [] : [{ id: idOf(file), asked, file }];
  });
  // A killed hook leaves its file: the requests before it are still over.
  const newest = own.findLast(({ asked }) => asked.subAgent === null);
  return own
    .filter(({ file }) => findProcess(file.hook)?.ppid === process.pid)
    .filter((each) => each.asked.subAgent !== null || !(isOver(each.file, live) ?? each !== newest));
}

/**
 * The client starts its hook and reports that it waits in the same moment. What it reported before says nothing about
 * the request. If it began to wait long after, it waits for a later one. Null if it reports nothing.
 */
function isOver({ atMs }: RequestFile, live: Asker["live"]): boolean | null {
  if (live === null || live.activity === null || live.activitySinceMs === undefined) return null;
  return live.activitySinceMs > atMs + (live.activity === "waiting" ? limits.requestStartMs : 0);
}

function idOf({ name, digest }: RequestFile): RequestId {
  return requestId(createHash("sha256").update(`${name} ${digest}`).digest());
}
