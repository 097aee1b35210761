import { windowsOf } from "../../fleet/activity/context.js";
import type { Fleet } from "../../fleet/observe.js";
import { sessionFates } from "../../fleet/sessions/lifecycle.js";
import type { Sessions } from "../../fleet/sessions/managed-list.js";
import { type AnySession, countSessions } from "../../fleet/sessions/session-list.js";
import type { Command } from "../command.js";
import { farRead } from "../far/also-far.js";
import { fleetOption } from "../far/fleet-option.js";
import { noteProblems } from "../problems.js";
import { boundaryNote, boundaryOf, workspaceOrAll } from "../workspace.js";
import { draftLines } from "./draft.js";
import { allOption, edgesAmong, recordedIn } from "./known.js";
import { sessionJson } from "./session-json.js";
import { abandonedLines, headline, nothingLines, refusedLines, sessionLines } from "./table.js";

export const sessions: Command = {
  words: "sessions",
  about: "list the conversations of this folder",
  options: [
    allOption,
    { name: "title", value: "text", about: "only sessions with this text in the title" },
    fleetOption,
  ],
  examples: [
    "hivemind sessions",
    "hivemind sessions --title review",
    "hivemind sessions --all --json",
    "hivemind sessions --fleet",
  ],
  get notes() {
    return `${lifecycleNote}\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, sessions, null);
    if (typeof input === "number") return input;
    const { out, env, hive } = cli;
    const here = workspaceOrAll(input);
    const { lookAtWorktrees } = await import("../../git/worktree.js");
    // git runs while the transcripts are read.
    const asked = here && lookAtWorktrees([here.path], { env });
    const wanted = input.option("title")?.toLowerCase() ?? "";
    const isDrafted = out.isTerminal && !input.flag("json");
    const opened = await hive(({ newest }) => {
      const most = out.rows - linesAroundDraft;
      const view = { here, title: wanted, most, nowMs: Date.now(), colours: out.colours };
      return isDrafted ? draftLines(newest(), view) : [];
    });
    const recorded = recordedIn(opened);
    const { listEverySession, listWorkspaceSessions } = await import("../../fleet/sessions/managed-list.js");
    const every = (fleet: Fleet) => listEverySession(fleet, windowsOf(env), { env, here });
    // JSON says how many sessions other folders have.
    const near = here === null || input.flag("json") ? null : await opened.observeFolder(here, recorded);
    const fleet = near?.fleet ?? (await opened.observe());
    const known = here === null ? every(fleet) : listWorkspaceSessions(fleet, windowsOf(env), { env, here });
    const { sessions: inside, refused } = known;
    // Everything is read only if this folder has nothing to show, to say what is hidden.
    const isEmpty = here !== null && inside.length === 0;
    const whole = isEmpty && near !== null ? await near.whole() : fleet;
    const all = isEmpty ? every(whole) : known;
    const found = inside.filter(({ title }) => (title ?? "").toLowerCase().includes(wanted));

    const looks = (await asked) ?? (await lookAtWorktrees(foldersOf(found), { env }));
    const fates = sessionFates(inside, looks, fleet.takenAtMs);
    const edges = await edgesAmong(found, opened, fleet, recorded);
    const edgeOf = new Map(edges.map((edge) => [edge.child, edge]));
    const rows = found.map((entry) => ({
      entry,
      edge: entry.store === "managed" ? null : (edgeOf.get(entry.id) ?? null),
      fate: fates.get(entry)!,
      look: looks.get(entry.workspace?.path ?? "") ?? null,
    }));
    if (input.flag("json")) {
      const hidden =
        all === known && here !== null ? othersThan(inside, fleet) : all.sessions.length - inside.length;
      const facts = { workspace: boundaryOf(here), hidden, refused: refused.map(refusedJson) };
      out.json({ ...facts, sessions: rows.map(sessionJson) });
    } else if (inside.length === 0) out.lines(nothingLines(here, all.sessions));
    else {
      const counts = { found: found.length, inside: inside.length };
      out.print(headline(here, counts, looks.get(here?.path ?? "") ?? null, out.colours));
      const columns = out.isTerminal ? out.columns : Number.POSITIVE_INFINITY;
      const view = { nowMs: fleet.takenAtMs, hasFolder: here === null, columns, colours: out.colours };
      if (rows.length > 0) out.table(sessionLines(rows, view));
      out.lines(abandonedLines(rows));
    }
    if (!input.flag("json")) for (const line of refusedLines(refused)) out.note(line);
    return noteProblems([...whole.index.problems, ...all.problems], inside.length === 0, out);
  },
};

/** Its heading, the line above it, the progress, and the line of the prompt. */
const linesAroundDraft = 4;

const lifecycleNote = `Newest first. LIFE is "running" with its pane, "idle shell" or "crashed" if the agent has ended in its pane, or "saved".
"dirty N": its worktree has N changed files. "abandoned?": it does not run and its folder is gone, or it was the last
session there, is older than a week, and left changes that are not committed or not pushed.`;

/** How many Claude sessions belong to other folders. */
function othersThan(inside: readonly AnySession[], fleet: Fleet): number {
  return countSessions(fleet) - inside.filter(({ store }) => store === "transcripts").length;
}

function foldersOf(entries: readonly AnySession[]): string[] {
  return entries.flatMap(({ workspace }) => workspace?.path ?? []);
}

function refusedJson({ path, id, reason, why }: Sessions["refused"][number]) {
  return { path, id, reason, why };
}
