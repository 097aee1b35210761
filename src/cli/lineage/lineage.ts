import { windowsOf } from "../../fleet/activity/context.js";
import { graphOf, hasSession, idsIn, lineageTrees } from "../../fleet/lineage/lineage-graph.js";
import type { LineageNode } from "../../fleet/lineage/lineage-of.js";
import { sessionNamed } from "../../fleet/sessions/session-find.js";
import { isIn, listSessions } from "../../fleet/sessions/session-list.js";
import type { SessionId } from "../../names/gates.js";
import type { Workspace } from "../../names/workspace.js";
import type { Command } from "../command.js";
import { farRead } from "../far/also-far.js";
import { fleetOption } from "../far/fleet-option.js";
import { type Output, shown } from "../output.js";
import { noteProblems } from "../problems.js";
import { boundaryNote, workspaceOrAll } from "../workspace.js";
import { treeLines } from "./show-lineage.js";

export const lineage: Command = {
  words: "lineage",
  about: "show which session was forked from which",
  args: [
    {
      name: "ref",
      about: "only the tree of this session: its id or first 8 digits, pane or role",
      meaning: "pane",
      host: "taken",
      isOptional: true,
    },
  ],
  options: [{ name: "all", about: "every folder, including sessions without relatives" }, fleetOption],
  examples: [
    "hivemind lineage",
    "hivemind lineage web4team:0.1",
    "hivemind lineage 15533422 --json",
    "hivemind lineage --all",
    "hivemind lineage --fleet",
  ],
  get notes() {
    return `Without REF: every tree of two or more sessions with at least one session in this folder.\n${boundaryNote()}`;
  },
  hasJson: true,
  async run(cli, typed) {
    const input = await farRead(cli, typed, lineage, "ref");
    if (typeof input === "number") return input;
    const { out, env, hive } = cli;
    const ref = input.arg("ref");
    const here = ref === undefined ? workspaceOrAll(input) : null;
    const opened = await hive();
    const fleet = await opened.observe();
    const entries = listSessions(fleet, windowsOf(env));
    const trees = await lineageTrees(opened, fleet, entries);
    const paneNamed = (typed: string) => opened.paneNamed(fleet, typed);
    const marked = ref === undefined ? null : sessionNamed(ref, idsIn(trees), fleet, paneNamed);
    const inside = here && new Set(entries.filter((entry) => isIn(entry, here)).map(({ id }) => id));
    const found = choose(trees, marked, inside);

    if (input.flag("json")) out.json(graphOf(found));
    else if (found.length === 0) out.lines(nothing(here, trees));
    else {
      const options = { nowMs: fleet.takenAtMs, marked, colours: out.colours };
      out.table(treeLines(found, options));
      if (marked === null) showCount(found, trees.filter(isFamily).length, out);
    }
    return noteProblems(fleet.index.problems, found.length === 0, out);
  },
};

/** The tree of the named session, the trees with a session in this folder, or all, single sessions last. */
function choose(
  trees: readonly LineageNode[],
  marked: SessionId | null,
  inside: ReadonlySet<SessionId> | null,
): LineageNode[] {
  if (marked !== null) return trees.filter((root) => hasSession(root, (id) => id === marked));
  const families = trees.filter(isFamily);
  if (inside !== null) return families.filter((root) => hasSession(root, (id) => inside.has(id)));
  return [...families, ...trees.filter((root) => !isFamily(root))];
}

function isFamily({ children }: LineageNode): boolean {
  return children.length > 0;
}

function nothing(here: Workspace | null, trees: readonly LineageNode[]): string[] {
  if (here === null) return ["No sessions in any folder."];
  const families = trees.filter(isFamily).length;
  return [
    `No session in ${shown(here.path)} (fingerprint ${here.fingerprint}) has relatives.`,
    families > 0 ? `${elsewhere(families)}: hivemind lineage --all` : "List the sessions: hivemind sessions",
  ];
}

function showCount(found: readonly LineageNode[], families: number, out: Output): void {
  const trees = found.filter(isFamily).length;
  const single = found.length - trees;
  const facts = [
    `${idsIn(found).size} sessions`,
    trees === 1 ? "1 tree" : `${trees} trees`,
    single > 0 ? `${single} without relatives` : "",
    trees < families ? `${elsewhere(families - trees)} (--all)` : "",
  ];
  out.print();
  out.print(out.colours.dim(facts.filter(Boolean).join(", ")));
}

/** Includes deleted sessions, whose folder is no longer known. */
function elsewhere(families: number): string {
  return families === 1
    ? "1 tree has no session in this folder"
    : `${families} trees have no session in this folder`;
}
