// How to open the session of a saved row again, and which agent of the roster the row belongs to. Pure.
//
// - A session is resumed in the folder of its transcript. With `isFork`, a child with its own id is started instead.
// - A session that is known to have had no conversation yet has no transcript to resume: it starts again with the
//   same id. If that is not known, its transcript counts as missing. Its parent is never resumed in its place.
// - An agent comes back as itself: the agent with its role in the team, else with its id, else with its session. An
//   agent on another living tmux server is left alone.
// - A session whose transcript may be in an unreadable place is refused, with that path and exit code 3. So is a
//   fork of such a session.

import { shellWord } from "../../base/text/shell-word.js";
import type { Fleet } from "../../fleet/observe.js";
import { roleHolder } from "../../fleet/roster/roster.js";
import type { SessionId } from "../../names/gates.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { SnapshotRow } from "../../stores/text/snapshot-text.js";
import type { Transcript } from "../../transcripts/transcript.js";
import { unseen } from "../../transcripts/unreadable.js";
import { isOf } from "../start/session-folder.js";
import type { SessionStart } from "../start/start.js";
import type { AgentStep, RestoreFacts } from "./restore-plan.js";
import { type Refusal, refusal, savedAddress } from "./saved-team.js";

export type Start = Pick<AgentStep, "session" | "cwd" | "remark">;

export interface Opening {
  isFork: boolean;
  /** It is known to have had no conversation yet. */
  isSilent: boolean;
}

/** How to open the session of a row, also of a row made from a live pane. */
export function sessionStart(
  row: SnapshotRow,
  uuid: SessionId,
  facts: RestoreFacts,
  how: Opening,
): Start | Refusal {
  const transcripts = facts.fleet.index.byId.get(uuid) ?? [];
  if (transcripts.length > 0) {
    const cwd = folderOf(row, transcripts, facts);
    if (typeof cwd !== "string") return cwd;
    const session: SessionStart = how.isFork
      ? { how: "fork", id: facts.newSession(), parent: uuid }
      : { how: "resume", id: uuid };
    return { session, cwd, remark: movedRemark(row, cwd) };
  }
  return silentStart(row, uuid, facts, how);
}

/** For a session without a transcript: starts it as it first started, if it never wrote one. */
function silentStart(
  row: SnapshotRow,
  uuid: SessionId,
  facts: RestoreFacts,
  { isFork, isSilent }: Opening,
): Start | Refusal {
  const hidden = hiddenFrom(row, uuid, facts);
  if (hidden !== null) return hidden;
  const { parent, wasWritten } = facts.recorded(uuid);
  if (wasWritten) return refusal(row, `the transcript of ${uuid} is gone`, spawnHint(row, facts));
  const inherited = parent === null ? [] : (facts.fleet.index.byId.get(parent) ?? []);
  if (!isSilent) {
    const why = `there is no transcript of ${uuid}, and it is unknown whether it ever had one`;
    return refusal(row, why, inherited.length === 0 ? spawnHint(row, facts) : forkHint(row, parent!));
  }
  const ownId = () => (isFork ? facts.newSession() : uuid);
  if (parent !== null) {
    if (inherited.length === 0) {
      const gone = `the transcript of ${parent}, which it was forked from, is gone`;
      return hiddenFrom(row, parent, facts) ?? refusal(row, gone, spawnHint(row, facts));
    }
    const cwd = folderOf(row, inherited, facts);
    if (typeof cwd !== "string") return cwd;
    const session: SessionStart = { how: "fork", id: ownId(), parent };
    return { session, cwd, remark: `it had no conversation yet: forked from ${parent} again` };
  }
  if (facts.realFolder(row.cwd) === null) return noFolder(row, row.cwd, facts);
  const session: SessionStart = { how: "create", id: ownId() };
  return { session, cwd: row.cwd, remark: "it had no conversation yet: starts fresh" };
}

/** For a session that the index does not have. */
function hiddenFrom(row: SnapshotRow, uuid: SessionId, { fleet }: RestoreFacts): Refusal | null {
  const found = unseen(`the transcript of ${uuid}`, uuid, fleet.index.problems);
  return found === null ? null : refusal(row, found.why, found.hint, found.exitCode);
}

/** The client looks for a transcript only under the name of the folder it is started in. */
function folderOf(
  row: SnapshotRow,
  transcripts: readonly Transcript[],
  facts: RestoreFacts,
): string | Refusal {
  const { realFolder } = facts;
  const named = transcripts.flatMap((each) =>
    [row.cwd, each.facts.lastCwd, each.facts.firstCwd].flatMap((folder) =>
      folder ? [{ folder, real: realFolder(folder), each }] : [],
    ),
  );
  const own = named.filter(({ folder, real, each }) => isOf(each, real ?? folder));
  const usable = own.find(({ folder, real }) => folder === row.cwd && real !== null);
  const found = usable ?? own.find(({ real }) => real !== null);
  if (found !== undefined) return found.folder;
  return noFolder(row, own[0]?.folder ?? named[0]?.folder ?? row.cwd, facts);
}

function noFolder(row: SnapshotRow, folder: string, facts: RestoreFacts): Refusal {
  if (folder === "") return refusal(row, "no folder was saved for it", spawnHint(row, facts));
  return refusal(
    row,
    `there is no folder ${folder}`,
    `create it, then restore again: mkdir -p ${shellWord(folder)}`,
  );
}

function movedRemark(row: SnapshotRow, cwd: string): string | null {
  return cwd === row.cwd || row.cwd === "" ? null : `in ${cwd}, the folder of its transcript`;
}

function forkHint(row: SnapshotRow, parent: SessionId): string {
  const as = row.role === null ? "" : ` --as ${row.role}`;
  const kind = row.kind === "claude" ? "" : ` --kind ${row.kind}`;
  const command = `hivemind sessions fork ${parent} --all --into ${savedAddress(row)}${as}${kind}`;
  return `fork its parent again: ${command}`;
}

/** An away agent keeps its role until it is forgotten, so the hint forgets it first. */
export function spawnHint(row: SnapshotRow, { fleet }: RestoreFacts): string {
  const known = agentOfRow(fleet, row);
  const forget = known === null ? "" : `hivemind agent forget @${known.id} && `;
  return `start a new one: ${forget}hivemind agent spawn ${row.role ?? "NAME"} --team ${row.team}`;
}

/** The agent of the roster that a saved row belongs to; null if a new one starts. */
export function agentOfRow({ roster }: Pick<Fleet, "roster">, row: SnapshotRow): AgentRow | null {
  const { agents } = roster;
  const byRole = roleHolder(roster, row.team, row.role);
  if (byRole !== undefined) return byRole;
  const isIts = (agent: AgentRow) => agent.session !== null && agent.session === row.uuid;
  const byId = agents.find((agent) => agent.id === row.agent && isIts(agent));
  return (
    byId ?? agents.find((agent) => agent.seat === null && agent.team === row.team && isIts(agent)) ?? null
  );
}
