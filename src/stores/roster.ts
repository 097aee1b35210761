// S0, the roster of agents, with its two views S1 and S2.
//
// [RSF1] One atomic replace of S0 commits a change. The views are written after it; if killed in between, the next
//        change writes them.
// [RSF2] The header of S0 has two digests per view: as found and as intended. A view with the intended digest is
//        ours; so is one with the found digest, until the copy shows that the view was written. In any other view,
//        rows that differ from the copy are foreign edits.
// [RSF3] A change without a difference writes nothing.
// [RSF4] Comments and bad rows survive in all three files.
// [RSF5] An edit made during a change is not overwritten: the next change takes it in.

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { makeFolder, refuseLinkedFolder, replaceFile } from "../base/files/atomic-file.js";
import type { PaneAddress } from "../names/gates.js";
import { guard, type Report } from "./file/error.js";
import type { StorePaths } from "./file/folder.js";
import type { RowFile } from "./file/row-file.js";
import { parseLines, type RowFormat, rewriteLines } from "./file/row-lines.js";
import { readStore, whileLocked } from "./file/store-file.js";
import { type RoleRow, roleFormat } from "./roles.js";
import { type SessionRow, sessionFormat } from "./sessions.js";
import { type AgentRow, agentFormat } from "./text/roster-rows.js";

export interface Views {
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
}

export interface RosterState {
  agents: readonly AgentRow[];
  /** The rows of the views that another program or an editor wrote. */
  edits: Views;
}

export interface RosterChange<T> {
  agents: readonly AgentRow[];
  views: Views;
  afterCommit(): Promise<T>;
}

/** The copies of the views are in `viewFolder`. */
export function openRoster(
  { roster: path, viewFolder }: StorePaths,
  { roles, sessions }: { roles: RowFile<RoleRow>; sessions: RowFile<SessionRow> },
  report?: Report,
) {
  const roleView = view(roles, roleFormat, join(viewFolder, "roles.env"));
  const sessionView = view(sessions, sessionFormat, join(viewFolder, "sessions.env"));

  function load() {
    const bytes = readStore(path) ?? Buffer.alloc(0);
    const found = parseLines(path, bytes, agentFormat);
    for (const problem of found.problems) report?.(problem);
    const known = knownDigests(bytes);
    const roles = roleView.load(known.slice(0, 2));
    const sessions = sessionView.load(known.slice(2));
    const state: RosterState = {
      agents: found.rows,
      edits: { roles: roles.edits, sessions: sessions.edits },
    };
    return { bytes, found, known, state, rows: { roles: roles.rows, sessions: sessions.rows } };
  }

  /** Holds the roster's lock from the change until after its commit. */
  async function update<T>(
    change: (state: RosterState) => Promise<RosterChange<T>> | RosterChange<T>,
  ): Promise<T> {
    const work = async () => {
      const { bytes, found, known, state, rows: before } = load();
      const digests = [roleView.digest(before.roles), sessionView.digest(before.sessions)] as const;
      const { agents, views, afterCommit } = await change(state);
      const header = [
        digests[0],
        roleView.digest(views.roles),
        digests[1],
        sessionView.digest(views.sessions),
      ];
      const rows = rewriteLines(found, agents, agentFormat);
      const isNothing = agents.length === 0 && bytes.length === 0 && views.roles.length === 0;
      if (rows !== null || (!isNothing && !isSettled(known, header)))
        replaceFile(path, withHeader(rows ?? bytes, header));
      await roleView.write(views.roles, digests[0]);
      await sessionView.write(views.sessions, digests[1]);
      return afterCommit();
    };
    return whileLocked(path, work);
  }

  return {
    path,
    /** The roster as it is on disk. */
    read: () => load().state,
    update,
  };
}

/** One of the two files that are written from the roster. */
function view<Row extends { pane: PaneAddress }>(file: RowFile<Row>, format: RowFormat<Row>, copy: string) {
  const linesOf = (rows: readonly Row[]) => rows.map((row) => format.format(row)).sort();
  const digest = (rows: readonly Row[]) =>
    createHash("sha256").update(linesOf(rows).join("\n")).digest("hex").slice(0, 16);
  function copyRows(): readonly Row[] {
    guard(copy, () => refuseLinkedFolder(dirname(copy)));
    return parseLines(copy, readStore(copy) ?? Buffer.alloc(0), format).rows;
  }

  function edits(rows: readonly Row[], [found, meant]: readonly string[]): readonly Row[] {
    const copied = copyRows();
    const ours = new Set(linesOf(copied));
    const others = rows.filter((row) => !ours.has(format.format(row)));
    // A look without news computes no digest: node's crypto takes longer to load than the rest of the look.
    if (others.length === 0) return [];
    const now = digest(rows);
    return now === meant || (now === found && digest(copied) !== meant) ? [] : others;
  }

  return {
    digest,
    /** `known` are the view's digests in S0: as found and as intended. */
    load(known: readonly string[]) {
      const { rows } = file.read();
      return { rows, edits: edits(rows, known) };
    },
    /** `found` is the digest of the view at the start of the change. */
    async write(wanted: readonly Row[], found: string): Promise<void> {
      const meant = digest(wanted);
      const isOurs = (rows: readonly Row[]) => [found, meant].includes(digest(rows));
      const { rows } =
        found === meant ? file.read() : await file.update((now) => (isOurs(now) ? wanted : now));
      if (digest(rows) !== meant || digest(copyRows()) === meant) return;
      guard(copy, () => {
        makeFolder(dirname(copy));
        replaceFile(copy, `${linesOf(wanted).join("\n")}\n`);
      });
    },
  };
}

const columns = "# agent|team|role|kind|session|seat|address|epoch\n";
const headerForm = /^# views ([0-9a-f ]*)$/m;

function knownDigests(bytes: Buffer): string[] {
  return headerForm.exec(bytes.subarray(0, 4096).toString("latin1"))?.[1]?.split(" ") ?? [];
}

/** Whether the views are as intended and the header says so. */
function isSettled(known: readonly string[], header: readonly string[]): boolean {
  const [foundRoles, roles, foundSessions, sessions] = header;
  return foundRoles === roles && foundSessions === sessions && known[1] === roles && known[3] === sessions;
}

function withHeader(bytes: Buffer, digests: readonly string[]): Buffer {
  const header = `# views ${digests.join(" ")}`;
  const text = bytes.toString("latin1");
  if (headerForm.test(text.slice(0, 4096))) return Buffer.from(text.replace(headerForm, header), "latin1");
  return Buffer.concat([Buffer.from(`${header}\n${columns}`), bytes]);
}
