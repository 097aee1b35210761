// Archived sessions: removed ones in the trash, and kept copies.

import { HiveError } from "../../base/errors.js";
import { shellWord } from "../../base/text/shell-word.js";
import { textTable } from "../../base/text/table.js";
import type { Hive } from "../../hive/hive.js";
import { isSessionId, type SessionId } from "../../names/gates.js";
import type { Workspace } from "../../names/workspace.js";
import type { ArchivedSession } from "../../stores/file/session-archive.js";
import type { Cli, Command, Input } from "../command.js";
import { shown } from "../output.js";
import { boundaryOf, workspaceOrAll } from "../workspace.js";
import { age, clipped, size } from "./cells.js";
import { allOption, fileOption, meantOrFile, refArgument } from "./known.js";

export const sessionsTrash: Command = {
  words: "sessions trash",
  about: "list the removed sessions of this folder",
  options: [allOption],
  examples: ["hivemind sessions trash", "hivemind sessions trash --all --json"],
  notes: "Newest first. hivemind never empties the trash; you can delete its folder yourself.",
  hasJson: true,
  async run(cli, input) {
    await showArchive(cli, input, {
      key: "trash",
      store: "trash",
      command: "sessions trash",
      state: "is in the trash",
      back: "to restore one: hivemind sessions restore NAME",
      print: cli.out.table,
    });
  },
};

export const sessionsKeep: Command = {
  words: "sessions keep",
  about: "keep a copy of a session; without REF, list the copies",
  args: [{ ...refArgument, isOptional: true }],
  options: [fileOption, allOption],
  examples: [
    "hivemind sessions keep latest",
    "hivemind sessions keep",
    "hivemind sessions keep --all --json",
  ],
  notes:
    "The client deletes transcripts that have not changed for 30 days (cleanupPeriodDays in its settings). Run this again\n" +
    "to update the copy. To restore a deleted session from its copy: hivemind sessions restore ID",
  hasJson: true,
  async run(cli, input) {
    if (input.arg("ref") !== undefined || input.option("file") !== undefined) return keep(cli, input);
    const found = await showArchive(cli, input, {
      key: "kept",
      store: "sessionCopies",
      command: "sessions keep",
      state: "is kept",
      back: "to restore one: hivemind sessions restore ID",
      print: cli.out.lines,
    });
    if (found === 0 && !input.flag("json")) cli.out.note("  to keep one: hivemind sessions keep REF");
  },
};

async function keep(cli: Cli, input: Input): Promise<void> {
  const { hive, entry } = await meantOrFile(cli, input, "sessions keep");
  const { needOf } = await import("../../agents/all.js");
  needOf(entry.agent, "archive");
  const { sessionFiles } = await import("../../fleet/sessions/session-files.js");
  const { owner, paths } = sessionFiles(entry);
  const { path, replaced } = await hive.stores.sessionCopies.keep(owner, paths);
  if (input.flag("json")) {
    const [copy] = hive.stores.sessionCopies.list().filter((each) => each.path === path);
    cli.out.json({ kept: copy === undefined ? [] : [archivedJson(copy)] });
    return;
  }
  const [older] = replaced;
  const since = older === undefined ? "" : `, replacing the copy from ${age(older.atMs, Date.now())} ago`;
  cli.out.print(`kept ${entry.id} (${size(entry.sizeBytes)})${since}`);
  cli.out.note(`  ${shown(path)}`);
}

export const sessionsRestore: Command = {
  words: "sessions restore",
  about: "restore a session from the trash or from its copy",
  args: [{ name: "name", about: "its id or first 8 digits, or its name in the trash", host: "refused" }],
  options: [allOption],
  examples: [
    "hivemind sessions restore 15533422",
    "hivemind sessions restore 20261115T120000-15533422-8bdb…",
  ],
  notes:
    "Puts the session back exactly where it was, and never overwrites a file. The trash comes before kept copies.\n" +
    "A kept copy stays.",
  async run(cli, input) {
    const here = workspaceOrAll(input);
    const typed = input.need("name");
    const hive = await cli.hive();
    const { trash, sessionCopies } = hive.stores;
    const [removed, copies] = [trash.list(), sessionCopies.list()];
    const isKept = archivedNamed(archivedIn(removed, here), typed).length === 0;
    const meant = theOne(typed, isKept ? copies : removed, here, [...removed, ...copies]);
    if (isSessionId(meant.id)) await refuseDouble(cli, hive, meant.id);
    const paths = isKept ? await sessionCopies.copyBack(meant) : await trash.restore(meant);
    cli.out.print(`restored ${meant.id}${isKept ? " from the kept copy" : ""}`);
    for (const path of paths) cli.out.note(`  ${shown(path)}`);
    if (!isKept) await warnOfAge(meant, (line) => cli.out.note(line));
  },
};

/** A Claude session has one file and at most one process; a restore must not add a second. */
async function refuseDouble(cli: Cli, hive: Hive, id: SessionId): Promise<void> {
  const { liveHolder } = await import("../../teams/start/holder.js");
  const fleet = await hive.observe();
  const holder = liveHolder(id, fleet, { env: cli.env, stores: hive.stores });
  if (holder !== null) {
    const where = holder.pane ?? "outside this tmux";
    throw new HiveError(`session ${id} is in use: ${where}, process ${holder.pid}`, {
      hint: "end that process first",
    });
  }
  const [standing] = fleet.index.byId.get(id) ?? [];
  if (standing === undefined) return;
  throw new HiveError(`there is already a session ${id}: ${shown(standing.path)}`, {
    hint: `to remove it first: hivemind sessions rm --file ${shellWord(standing.path)}`,
  });
}

function theOne(
  typed: string,
  all: readonly ArchivedSession[],
  here: Workspace | null,
  every: readonly ArchivedSession[],
): ArchivedSession {
  const found = archivedNamed(archivedIn(all, here), typed);
  const [only] = found;
  if (found.length === 1) return only!;
  if (found.length > 1) {
    throw new HiveError(`"${shown(typed)}" matches ${found.length} sessions`, {
      hint: `name one of them: ${found.map(({ name }) => shown(name)).join(", ")}`,
    });
  }
  const [other] = archivedNamed(every, typed);
  throw new HiveError(`no session in the trash and no kept copy is named "${shown(typed.slice(0, 80))}"`, {
    hint:
      other === undefined
        ? "list them: hivemind sessions trash --all, hivemind sessions keep --all"
        : `one belongs to ${shown(other.workspace)}: go there, or use --all`,
  });
}

/** A restored file keeps its old age, so the client may delete it at its next start. */
async function warnOfAge(
  { id, agent, within, files }: ArchivedSession,
  say: (line: string) => void,
): Promise<void> {
  if (agent === "claw" || files[0] === undefined) return;
  const { cleanupDays } = await import("../../agents/claude/cleanup.js");
  const { lastWrittenMs } = await import("../../fleet/sessions/session-files.js");
  const days = cleanupDays(within);
  const age = (Date.now() - lastWrittenMs(files[0].from)) / 86_400_000;
  if (age < days) return;
  say(
    `it was last written ${Math.floor(age)} days ago; the client deletes files older than ${days} days at its next start`,
  );
  say(`  to keep a copy: hivemind sessions keep ${id}   (or resume it first)`);
}

/** The texts for the trash and for the kept copies. */
interface Shelf {
  /** The key in JSON. */
  key: "trash" | "kept";
  store: "trash" | "sessionCopies";
  command: string;
  state: string;
  /** How to restore one. */
  back: string;
  print(lines: readonly string[]): void;
}

/** Lists the sessions of this folder, or with --all of every folder. Returns how many there are. */
async function showArchive({ out, hive }: Cli, input: Input, shelf: Shelf): Promise<number> {
  const here = workspaceOrAll(input);
  const store = (await hive()).stores[shelf.store];
  const [all, folder] = [store.list(), store.folder];
  const found = archivedIn(all, here);
  if (input.flag("json"))
    out.json({ workspace: boundaryOf(here), folder, [shelf.key]: found.map(archivedJson) });
  else if (found.length === 0) {
    const others = all.length === 0 ? "" : ` (other folders: ${all.length}, hivemind ${shelf.command} --all)`;
    out.print(`No session${here === null ? "" : ` of ${shown(here.path)}`} ${shelf.state}${others}.`);
  } else {
    shelf.print(archiveLines(found, Date.now()));
    out.note(`  ${shelf.back}${here === null ? " --all" : ""}   (stored in ${shown(folder)})`);
  }
  return found.length;
}

/** The sessions of one workspace, or all. */
function archivedIn(all: readonly ArchivedSession[], here: Workspace | null): ArchivedSession[] {
  return all.filter(({ workspace }) => here === null || workspace === here.path);
}

function archiveLines(all: readonly ArchivedSession[], nowMs: number): string[] {
  const rows = all.map(({ name, agent, atMs, title, workspace }) => [
    shown(name),
    shown(agent),
    age(atMs, nowMs),
    clipped(title),
    shown(workspace),
  ]);
  return textTable([["NAME", "AGENT", "AGE", "TITLE", "FOLDER"], ...rows], ["left", "left", "right"]);
}

function archivedJson({ name, id, agent, title, workspace, atMs, path, files }: ArchivedSession) {
  const from = files.map((file) => file.from);
  return { name, id, agent, title, cwd: workspace, at: new Date(atMs).toISOString(), path, files: from };
}

/** Matches the name of its folder, its id, or the first 8 or more characters of the id. */
function archivedNamed(all: readonly ArchivedSession[], typed: string): ArchivedSession[] {
  const exact = all.filter(({ name, id }) => name === typed || id === typed);
  const isPrefix = typed.length >= 8;
  return exact.length > 0 || !isPrefix ? exact : all.filter(({ id }) => id.startsWith(typed));
}
