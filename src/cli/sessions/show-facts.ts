// Formats one session. Pure: facts in, lines out.

import type { Utterance } from "../../agents/utterance.js";
import { textTable } from "../../base/text/table.js";
import type { Ends } from "../../fleet/sessions/conversation.js";
import type { AnySession } from "../../fleet/sessions/session-list.js";
import type { SessionId } from "../../names/gates.js";
import type { ManagedId } from "../../names/managed-id.js";
import { type Output, shown } from "../output.js";
import { age, clipped, places, size } from "./cells.js";
import { timeOf } from "./session-json.js";
import type { SessionRow } from "./table.js";

interface Beside {
  nowMs: number;
  /** When the client will delete the file, unless it is written to. */
  deletedAtMs: number | null;
  /** What to type next: a word and the command. */
  commands: readonly [string, string | null][];
}

export function factLines(
  row: SessionRow,
  children: readonly (SessionId | ManagedId)[],
  { nowMs, deletedAtMs, commands }: Beside,
): string[] {
  const { entry, fate } = row;
  const { context, workspace } = entry;
  const of = context?.window ? `of ${context.window} tokens` : "tokens (window unknown)";
  const used = context && `${context.used} ${of}`;
  const facts: [string, string | number | null][] = [
    ["session", entry.id],
    ["agent", entry.agent],
    ["title", entry.title],
    ["folder", workspace && `${workspace.path}  (fingerprint ${workspace.fingerprint})`],
    ["life", [fate.lifecycle, whereabouts(entry)].filter(Boolean).join(": ")],
    ["state", entry.state],
    ["worktree", worktreeWords(row)],
    ["abandoned?", fate.abandoned],
    ["model", entry.model],
    ["context", used],
    ["messages", entry.messages],
    ["size", size(entry.sizeBytes)],
    ["started", momentOf(entry.bornAtMs, nowMs)],
    ["last written", momentOf(entry.updatedAtMs, nowMs)],
    ["deletion", deletionWords(deletedAtMs, nowMs)],
    ["git branch", entry.gitBranch],
    ["branch", entry.store === "managed" ? entry.branch : null],
    ["parent", parentWords(row)],
    ["children", children.join(", ")],
    ["file", entry.path],
    ...commands,
  ];
  const known = facts.filter(([, value]) => value !== null && value !== "" && value !== "–");
  return textTable(known.map(([name, value]) => [name, shown(value)]));
}

function whereabouts(entry: AnySession): string {
  if (entry.background !== null) return `in the background, process ${entry.background.process.pid}`;
  return entry.panes.length > 0 ? places(entry) : "";
}

/** The first and the last messages, one line each. */
export function utteranceLines(
  { first, last }: Ends,
  { colours, columns }: Pick<Output, "colours" | "columns">,
): string[] {
  if (first.length + last.length === 0) return [];
  const line = (message: Utterance) => {
    const head = whoAndWhen(message);
    return `  ${colours.dim(head)}  ${clipped(wordsOf(message), Math.max(40, columns - head.length - 4))}`;
  };
  const gap = last.length > 0 ? [colours.dim("  …"), ...last.map(line)] : [];
  return ["", ...first.map(line), ...gap];
}

/** The role and time before the text of a message. */
export function whoAndWhen({ role, atMs }: Pick<Utterance, "role" | "atMs">): string {
  const time = timeOf(atMs)?.slice(0, 16).replace("T", " ") ?? "";
  return `${role.padEnd(9)} ${time}`.trimEnd();
}

/** The text of a message, on one line. */
export function wordsOf({ blocks }: Utterance): string {
  const words = blocks.flatMap((block) => (block.kind === "text" ? block.text : []));
  return words.join(" ").replace(/\s+/g, " ").trim();
}

function worktreeWords({ look }: SessionRow): string | null {
  if (look?.unknown) return look.unknown;
  if (!look?.worktree) return null;
  const { branch, changedFiles, unpushed } = look.worktree;
  const parts = [
    branch === null ? "no branch" : `on ${branch}`,
    changedFiles === 0 ? "clean" : `dirty: ${changedFiles} changed`,
    unpushed ? `${unpushed} not pushed` : "",
  ];
  return parts.filter(Boolean).join(", ");
}

function parentWords({ entry, edge }: SessionRow): string | null {
  if (entry.store === "managed") return entry.parent;
  if (edge === null) return null;
  const point = edge.forkPoint === null ? "" : ` at ${edge.forkPoint.slice(0, 8)}`;
  return `${edge.parent} (${edge.kind}${point}${edge.inferred ? ", inferred" : ""})`;
}

/** The client deletes old files when it next starts. */
function deletionWords(deletedAtMs: number | null, nowMs: number): string | null {
  if (deletedAtMs === null) return null;
  const when = deletedAtMs > nowMs ? `in ${age(nowMs, deletedAtMs)}` : "at its next start";
  return `by the client ${when}, unless it is written to`;
}

function momentOf(ms: number | null, nowMs: number): string | null {
  return ms === null ? null : `${timeOf(ms)}  (${age(ms, nowMs)} ago)`;
}
