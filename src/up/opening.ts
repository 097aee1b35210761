// Which conversation an agent has, and how it is opened. Pure.
//
// - The conversation of an agent is the one it is in, else the one it moved on to, else the one it takes over, else
//   the one whose id is derived from its name, which never changes.
// - If its transcript is under this folder, it is resumed. If there is none, it is created. If it is only under
//   another folder, the agent is refused with that folder.
// - A fork starts once as a copy of its parent's conversation; afterwards it has its own.
// - A role prompt is given only to a new conversation, and its absence is an error only then.
// - A fresh start uses the derived id, whatever the agent moved on to; the old conversation stays in its file.
// - While its transcript, or its parent's, may be in an unreadable place, the agent is refused with that path and
//   exit code 3: an agent with a conversation never starts fresh unless asked.

import { dirname } from "node:path";
import { has } from "../agents/abilities.js";
import { agentOfKind } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { Role, SessionId } from "../names/gates.js";
import { deriveSessionId } from "../names/session-id.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { isOf, workFolderOf } from "../teams/start/session-folder.js";
import { whichSession } from "../teams/start/which-session.js";
import type { Problem, Transcript } from "../transcripts/transcript.js";
import { unseen } from "../transcripts/unreadable.js";
import { adoptable } from "./adoptable.js";
import { isStarted } from "./agent-panes.js";
import type { Opening, Refusal, WantedFacts, Wishes } from "./wanted.js";

/** Its current conversation, else its last known one. */
export function sessionOf(file: TeamFile, agent: WantedAgent, facts: WantedFacts): SessionId {
  const seat = facts.seats.of(agent.id);
  const live = seat !== null && isStarted(seat) ? facts.fleet.sessions.get(seat.pane.id)?.uuid : null;
  const moved = facts.moved.find((row) => row.project === file.project && row.agent === agent.id);
  return live ?? moved?.uuid ?? adoptable(file, agent, facts) ?? deriveSessionId(file.project, agent.id);
}

/** Two conversations could be those of an ended agent: neither is resumed. */
function questionOf({ id }: WantedAgent, { seats, fleet }: WantedFacts): Refusal | null {
  const seat = seats.of(id);
  if (seat === null || !isStarted(seat)) return null;
  return whichSession(fleet.sessions.get(seat.pane.id), { address: seat.pane.address, role: id });
}

export interface RolePrompt {
  /** Null without a prompt, or if a file is missing. */
  text: string | null;
  missing: string | null;
}

export function promptOf({ promptPaths }: WantedAgent, { textOf }: WantedFacts): RolePrompt {
  const texts = promptPaths.map(textOf);
  const missing = promptPaths.find((_, at) => texts[at] === null) ?? null;
  return { text: texts.length === 0 || missing !== null ? null : texts.join("\n\n"), missing };
}

export type Opened = Pick<Opening, "session" | "prompt" | "isAnew" | "awaits">;

export interface Asked {
  file: TeamFile;
  agent: WantedAgent;
  facts: WantedFacts;
  wishes: Wishes;
  cwd: string;
  session: SessionId | null;
  told: RolePrompt;
}

export function openingOf(asked: Asked): Opened | Refusal {
  const { file, agent, facts, wishes, cwd, session, told } = asked;
  if (session === null) return { session, prompt: null, isAnew: false, awaits: null };
  const isAnew = wishes.anew.has(agent.id);
  const question = isAnew ? null : questionOf(agent, facts);
  if (question !== null) return question;
  const id = isAnew ? deriveSessionId(file.project, agent.id) : session;
  const kept = isAnew ? keptFile(id, agent, facts) : null;
  if (kept !== null) return kept;
  const written = isAnew ? [] : transcriptsOf(id, agent, facts);
  if (written.some((each) => isOf(each, cwd)))
    return checked(agent, { session: { how: "resume", id }, prompt: null, isAnew, awaits: null });
  if (written[0] !== undefined) {
    const fresh = `, or start fresh: hivemind up ${agent.id} --fresh`;
    return elsewhere("its conversation", written[0], cwd, fresh);
  }
  const hidden = isAnew ? null : unseen(`its conversation ${id}`, id, problemsOf(agent, facts));
  if (hidden !== null) return hidden;
  if (told.missing !== null) return unreadable(told.missing, facts);
  if (agent.fork !== null && id === deriveSessionId(file.project, agent.id))
    return forkOf(asked, agent.fork, id, isAnew);
  return checked(agent, { session: { how: "create", id }, prompt: told.text, isAnew, awaits: null });
}

/** A fresh start archives the old conversation. A kind that cannot keeps its file, and so its id. */
function keptFile(id: SessionId, agent: WantedAgent, facts: WantedFacts): Refusal | null {
  const kind = agentOfKind(agent.kind);
  if (kind === null || has.archive(kind) || transcriptsOf(id, agent, facts).length === 0) return null;
  return kind.lacks.archive!;
}

function unreadable(prompt: string, { kindOf }: WantedFacts): Refusal {
  const kind = kindOf(prompt);
  if (kind === "nothing")
    return { why: `there is no role prompt ${prompt}`, hint: "write it, or remove it from the team file" };
  const why =
    kind === "file" ? `is unreadable or has more than ${limits.upPromptBytes} bytes` : "is not a file";
  return { why: `the role prompt ${prompt} ${why}`, hint: "give another, or remove it from the team file" };
}

/** The client finds only transcripts under the folder it is started in. */
function forkOf(
  { file, agent, facts, wishes, cwd, told }: Asked,
  parent: Role,
  id: SessionId,
  isAnew: boolean,
) {
  const other = file.agents.find((each) => each.id === parent);
  if (other === undefined) return { why: `there is no agent ${parent} to fork`, hint: null };
  const from = wishes.anew.has(parent)
    ? deriveSessionId(file.project, parent)
    : sessionOf(file, other, facts);
  const written = wishes.anew.has(parent) ? [] : transcriptsOf(from, other, facts);
  const opened: Opened = {
    session: { how: "fork", id, parent: from },
    prompt: told.text,
    isAnew,
    awaits: written.length === 0 ? parent : null,
  };
  if (written.some((each) => isOf(each, cwd))) return checked(agent, opened);
  if (written[0] !== undefined) return elsewhere(`the conversation of ${parent}`, written[0], cwd, "");
  const what = `the conversation of ${parent} ${from}`;
  const hidden = wishes.anew.has(parent) ? null : unseen(what, from, problemsOf(other, facts));
  if (hidden !== null) return hidden;
  const willSpeak = other.promptPaths.length > 0 && facts.realFolder(other.cwd) === cwd;
  if (willSpeak) return checked(agent, opened);
  return {
    why: `${parent} has no conversation yet: there is nothing to fork`,
    hint: `talk to ${parent}, then: hivemind up ${agent.id}`,
  };
}

function transcriptsOf(id: SessionId, agent: WantedAgent, facts: WantedFacts): readonly Transcript[] {
  return inAccount(facts.fleet.index.byId.get(id) ?? [], agent, facts);
}

function problemsOf(agent: WantedAgent, facts: WantedFacts): readonly Problem[] {
  return inAccount(facts.fleet.index.problems, agent, facts);
}

/** An agent with its own account finds only transcripts in that account, by any path. */
function inAccount<T extends { path: string }>(
  all: readonly T[],
  agent: WantedAgent,
  facts: WantedFacts,
): readonly T[] {
  const account = accountOf(agent);
  if (account === null) return all;
  const real = facts.realFolder(account);
  const isBelow = (folder: string) => `${folder}/`.startsWith(`${real}/`);
  const isThere = (path: string) => isBelow(path) || isBelow(facts.realFolder(dirname(path)) ?? "");
  return real === null ? [] : all.filter(({ path }) => isThere(path));
}

/** The client's folder that its environment in the team file names; null if it names none. */
export function accountOf({ kind, env }: WantedAgent): string | null {
  const home = agentOfKind(kind)?.home;
  const own = home === undefined ? undefined : env[home.variable];
  return own === undefined ? null : home!.folderOf(own, {});
}

function elsewhere(what: string, written: Transcript, cwd: string, otherwise: string): Refusal {
  const { id, path } = written;
  const home = workFolderOf(written);
  return {
    why: `${what} ${id} belongs to ${home ?? path}, not to ${cwd}`,
    hint: `set its cwd to that folder${otherwise}`,
  };
}

/** Also refuses what the agent's own rules refuse: a prompt that is too long, a model that looks like an option. */
function checked(agent: WantedAgent, opened: Opened): Opened | Refusal {
  const { model, permissionMode, inbound, mcp, args } = agent;
  const { session, prompt } = opened;
  try {
    agentOfKind(agent.kind)?.start?.launch({
      session: session!,
      name: null,
      model,
      permissionMode,
      acceptsInbound: inbound === "accept",
      // The start names the program itself; here only the arguments around it are checked.
      mcpServer: mcp ? ["node", "hivemind"] : null,
      extra: args,
      prompt,
    });
    return opened;
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return { why: error.message, hint: error.hint ?? null };
  }
}
