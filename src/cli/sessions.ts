import { windowsOf } from "../fleet/context.js";
import { edgesOf, readRecord, relativesOf } from "../fleet/lineage-of.js";
import { isIn, listSessions, runningPane, type SessionEntry } from "../fleet/session-list.js";
import type { Workspace } from "../names/workspace.js";
import type { LineageEdge } from "../transcripts/lineage.js";
import type { Command } from "./command.js";
import { boundaryNote, workspaceHere } from "./here.js";
import { type Output, shown } from "./output.js";
import { noteProblems } from "./problems.js";
import { sessionLines } from "./show-sessions.js";

export const sessions: Command = {
  words: "sessions",
  about: "the conversations of this folder, newest first",
  options: [
    { name: "all", about: "of every folder" },
    { name: "title", value: "text", about: "only those with this text in their title" },
  ],
  examples: ["hivemind sessions", "hivemind sessions --title review", "hivemind sessions --all --json"],
  get notes() {
    return boundaryNote();
  },
  hasJson: true,
  async run({ out, env, hive }, input) {
    const here = input.flag("all") ? null : workspaceHere();
    const opened = await hive();
    const fleet = await opened.observe();
    const every = listSessions(fleet, windowsOf(env));
    const inside = here === null ? every : every.filter((entry) => isIn(entry, here));
    const wanted = input.option("title")?.toLowerCase() ?? "";
    const found = inside.filter(({ title }) => (title ?? "").toLowerCase().includes(wanted));

    const chains = await opened.chains(relativesOf(fleet, new Set(found.map(({ id }) => id))));
    const edges = edgesOf(fleet, chains, readRecord(opened.stores.forks.scan()), fleet.hooks.lineage);
    const edgeOf = new Map(edges.map((edge) => [edge.child, edge]));
    if (input.flag("json")) out.json({ sessions: found.map((entry) => row(entry, edgeOf.get(entry.id))) });
    else if (inside.length === 0) for (const line of nothing(here, every.length)) out.print(line);
    else {
      const rows = found.map((entry) => ({ entry, parent: edgeOf.get(entry.id)?.parent ?? null }));
      const options = { nowMs: fleet.takenAtMs, hasFolder: here === null, colours: out.colours };
      out.print(headline(here, found.length, inside.length, out));
      if (rows.length > 0) for (const line of sessionLines(rows, options)) out.print(line);
    }
    return noteProblems(fleet.index.problems, inside.length === 0, out);
  },
};

function row(entry: SessionEntry, edge: LineageEdge | undefined) {
  return {
    id: entry.id,
    agent: entry.agent,
    title: entry.title,
    cwd: entry.workspace?.path ?? null,
    fingerprint: entry.workspace?.fingerprint ?? null,
    model: entry.model,
    context: entry.context,
    parent: edge?.parent ?? null,
    forkPoint: edge?.forkPoint ?? null,
    updatedAt: entry.updatedAtMs === null ? null : new Date(entry.updatedAtMs).toISOString(),
    path: entry.path,
    pane: runningPane(entry)?.address ?? null,
    state: entry.state,
  };
}

function headline(here: Workspace | null, found: number, inside: number, { colours }: Output): string {
  const count = `${found === inside ? "" : `${found} of `}${inside} session${inside === 1 ? "" : "s"}`;
  if (here === null) return colours.bold("every folder") + colours.dim(`  ${count}`);
  return `${colours.bold(shown(here.path))}  ${colours.dim(`fingerprint ${here.fingerprint}, ${count}`)}`;
}

function nothing(here: Workspace | null, elsewhere: number): string[] {
  if (here === null) return ["No sessions in any folder."];
  const others =
    elsewhere === 0 ? "there are none" : `hidden: ${elsewhere}, shown by hivemind sessions --all`;
  return [
    `No sessions in ${shown(here.path)} (fingerprint ${here.fingerprint}).`,
    `Sessions of other folders are invisible here on purpose; ${others}`,
  ];
}
