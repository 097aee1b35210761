import { windowsOf } from "../fleet/context.js";
import { fatesOf } from "../fleet/lifecycle.js";
import type { Sessions } from "../fleet/managed-list.js";
import type { Fleet } from "../fleet/observe.js";
import { type AnySession, countSessions } from "../fleet/session-list.js";
import type { Command } from "./command.js";
import { boundaryNote, boundaryOf, hereOrAll } from "./here.js";
import { noteProblems } from "./problems.js";
import { sessionJson } from "./sessions-json.js";
import { allOption, edgesAmong } from "./sessions-known.js";
import { abandonedLines, headline, nothingLines, refusedLines, sessionLines } from "./sessions-table.js";

export const sessions: Command = {
  words: "sessions",
  about: "the conversations of this folder, newest first",
  options: [allOption, { name: "title", value: "text", about: "only those with this text in their title" }],
  examples: ["hivemind sessions", "hivemind sessions --title review", "hivemind sessions --all --json"],
  get notes() {
    return `${lifecycleNote}\n${boundaryNote()}`;
  },
  hasJson: true,
  async run({ out, env, hive }, input) {
    const here = hereOrAll(input);
    const { lookAtWorktrees } = await import("../git/worktree.js");
    // git answers while the transcripts are looked at.
    const asked = here && lookAtWorktrees([here.path], { env });
    const opened = await hive();
    const fleet = await opened.observe();
    const { listEverySession, listSessionsHere } = await import("../fleet/managed-list.js");
    const every = () => listEverySession(fleet, windowsOf(env), { env, here });
    const known = here === null ? every() : listSessionsHere(fleet, windowsOf(env), { env, here });
    const { sessions: inside, refused } = known;
    // What is hidden is only worth a look into every store where there is nothing to show.
    const all = here !== null && inside.length === 0 ? every() : known;
    const wanted = input.option("title")?.toLowerCase() ?? "";
    const found = inside.filter(({ title }) => (title ?? "").toLowerCase().includes(wanted));

    const looks = (await asked) ?? (await lookAtWorktrees(foldersOf(found), { env }));
    const fates = fatesOf(inside, looks, fleet.takenAtMs);
    const edges = await edgesAmong(found, opened, fleet);
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
    return noteProblems([...fleet.index.problems, ...all.problems], inside.length === 0, out);
  },
};

const lifecycleNote = `LIFE is "running" with its pane, "idle shell" or "crashed" where the pane is there and the agent has ended, or "saved".
"dirty N": so many changed files in its worktree. "abandoned?": it does not run, and its folder is gone; or it was the
last to work there, nobody has touched it for a week, and changes are not committed or commits not pushed.`;

/** Claude's of other folders. */
function othersThan(inside: readonly AnySession[], fleet: Fleet): number {
  return countSessions(fleet) - inside.filter(({ store }) => store === "transcripts").length;
}

function foldersOf(entries: readonly AnySession[]): string[] {
  return entries.flatMap(({ workspace }) => workspace?.path ?? []);
}

function refusedJson({ path, id, reason, why }: Sessions["refused"][number]) {
  return { path, id, reason, why };
}
