import { HiveError } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import type { Hive } from "../hive.js";
import { isSessionId, type SessionId } from "../names/gates.js";
import type { Workspace } from "../names/workspace.js";
import type { Aside } from "../stores/put-aside.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { hereOrAll } from "./here.js";
import { shown } from "./output.js";
import { allOption } from "./sessions-known.js";
import { asideNamed, asideOf } from "./show-aside.js";

export const sessionsRestore: Command = {
  words: "sessions restore",
  about: "a session comes back from the trash, or from the copy that was kept of it",
  args: [{ name: "name", about: "its id or the first 8 digits, or its name in the trash", meaning: "text" }],
  options: [allOption],
  examples: [
    "hivemind sessions restore 15533422",
    "hivemind sessions restore 20261115T120000-15533422-8bdb…",
  ],
  notes:
    "It goes back exactly where it was, and only if nothing is there by now. The trash counts before what was kept;\n" +
    "a kept copy stays.",
  async run(cli, input) {
    const here = hereOrAll(input);
    const typed = input.need("name");
    const hive = await cli.hive();
    const { trash, kept } = hive.stores;
    const [removed, copies] = [trash.list(), kept.list()];
    const isKept = asideNamed(asideOf(removed, here), typed).length === 0;
    const meant = theOne(typed, isKept ? copies : removed, here, [...removed, ...copies]);
    if (isSessionId(meant.id)) await refuseDouble(cli, hive, meant.id);
    const paths = isKept ? await kept.copyBack(meant) : await trash.restore(meant);
    cli.out.print(`${meant.id} is back${isKept ? ", as it was kept" : ""}`);
    for (const path of paths) cli.out.note(`  ${shown(path)}`);
    if (!isKept) await warnOfAge(meant, (line) => cli.out.note(line));
    return undefined;
  },
};

/** A session of Claude's has one file and one process: neither may be doubled by what comes back. */
async function refuseDouble(cli: Cli, hive: Hive, id: SessionId): Promise<void> {
  const { liveHolder } = await import("../teams/holder.js");
  const fleet = await hive.observe();
  const holder = liveHolder(id, fleet, { env: cli.env, stores: hive.stores });
  if (holder !== null) {
    const where = holder.pane ?? "outside this tmux";
    throw new HiveError(`session ${id} is in use: ${where}, process ${holder.pid}`, {
      hint: "end it there first",
    });
  }
  const [standing] = fleet.index.byId.get(id) ?? [];
  if (standing === undefined) return;
  throw new HiveError(`there is a session ${id} by now: ${shown(standing.path)}`, {
    hint: `it is left as it is; if it may go: hivemind sessions rm --file ${shellWord(standing.path)}`,
  });
}

function theOne(
  typed: string,
  all: readonly Aside[],
  here: Workspace | null,
  every: readonly Aside[],
): Aside {
  const found = asideNamed(asideOf(all, here), typed);
  const [only] = found;
  if (found.length === 1) return only!;
  if (found.length > 1) {
    throw new HiveError(`"${shown(typed)}" names ${found.length}`, {
      hint: `say which: ${found.map(({ name }) => shown(name)).join(", ")}`,
    });
  }
  const [other] = asideNamed(every, typed);
  throw new HiveError(`nothing in the trash, and no kept copy, is called "${shown(typed.slice(0, 80))}"`, {
    hint:
      other === undefined
        ? "see what there is: hivemind sessions trash --all, hivemind sessions keep --all"
        : `there is one of ${shown(other.workspace)}: go there, or say --all`,
  });
}

/** It comes back with the age it had, and the client goes by that. */
async function warnOfAge({ id, agent, within, files }: Aside, say: (line: string) => void): Promise<void> {
  if (agent === "claw" || files[0] === undefined) return;
  const { cleanupDays } = await import("../agents/claude/cleanup.js");
  const { lastWrittenMs } = await import("../fleet/session-files.js");
  const days = cleanupDays(within);
  const age = (Date.now() - lastWrittenMs(files[0].from)) / 86_400_000;
  if (age < days) return;
  say(
    `its last word is ${Math.floor(age)} days old, and the client deletes what is older than ${days} at its next start`,
  );
  say(`  keep a copy: hivemind sessions keep ${id}   (or resume it first)`);
}
