// The commands that a person can type next for a session. What its agent cannot do is left out.

import { has } from "../../agents/abilities.js";
import { agentOfKind, registryAgent } from "../../agents/all.js";
import { shellWord } from "../../base/text/shell-word.js";
import { type AnySession, hasProcess } from "../../fleet/sessions/session-list.js";
import type { SessionRow } from "./table.js";

/** Commands to type next. They change to the session's folder first, because the client finds it only there. */
export function nextCommands({ entry, look }: SessionRow, env: NodeJS.ProcessEnv): [string, string | null][] {
  const { id, path, workspace } = entry;
  if (path === null) return [];
  const folder = workspace === null ? "" : `cd ${shellWord(workspace.path)} && `;
  if (look?.isGone && workspace !== null) {
    return [
      [
        "use it here",
        can(entry, "rebind") ? `hivemind sessions rebind --from ${shellWord(workspace.path)}` : null,
      ],
      ["export", `hivemind sessions export ${id} --all`],
      ["keep a copy", can(entry, "archive") ? `hivemind sessions keep ${id} --all` : null],
    ];
  }
  return [
    ["resume", !hasProcess(entry) ? `${folder}${resumeCommand(entry, path, env)}` : null],
    ["fork", can(entry, "copy") ? `${folder}hivemind sessions fork ${id}` : null],
    ["export", `${folder}hivemind sessions export ${id}`],
    ["keep a copy", can(entry, "archive") ? `${folder}hivemind sessions keep ${id}` : null],
  ];
}

/** The managed store of claw keeps its own rules. */
function can({ store, agent }: AnySession, ability: "copy" | "archive" | "rebind"): boolean {
  if (store === "managed") return ability !== "archive";
  const kind = agentOfKind(agent);
  return kind === null || has[ability](kind);
}

function resumeCommand(entry: AnySession, path: string, env: NodeJS.ProcessEnv): string {
  if (entry.store === "managed") return `claw --resume ${entry.id}`;
  const start = agentOfKind(entry.agent)?.start ?? registryAgent.start!;
  return start.resumeCommand({ id: entry.id, path, folder: entry.folder! }, env);
}
