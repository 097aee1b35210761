import { shellWord } from "../base/shell-word.js";
import type { AnySession } from "../fleet/session-list.js";
import { hasIdForm } from "../fleet/session-ref.js";
import type { Aside } from "../stores/put-aside.js";
import { agreedTo } from "./agreement.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { boundaryNote, workspaceOrNull } from "./here.js";
import { shown } from "./output.js";
import { allOption } from "./sessions-known.js";
import { fileOption, meantOrFile, refOrFile } from "./sessions-meant.js";
import { size } from "./show-sessions.js";

export const sessionsRm: Command = {
  words: "sessions rm",
  about: "a session goes to the trash, from where it can be put back",
  args: [refOrFile],
  options: [fileOption, allOption],
  asks: "moves a session that was not named by its id or file",
  examples: ["hivemind sessions rm 15533422", "hivemind sessions rm session-1794722529082-0 --yes"],
  get notes() {
    return `One that somebody works in is refused. Nothing is deleted: hivemind sessions restore.\n${boundaryNote()}`;
  },
  async run(cli, input) {
    const { hive, fleet, entry } = await meantOrFile(cli, input, this.words);
    const { sessionFiles } = await import("../fleet/session-files.js");
    const { refuseInUse } = await import("../teams/in-use.js");
    const world = { env: cli.env, stores: hive.stores };
    const { owner } = sessionFiles(entry);
    refuseInUse(entry, fleet, world);
    // An id may be that of several sessions; of this folder it was the one that was found.
    const isElsewhere = input.flag("all") || input.option("file") !== undefined;
    const command = `sessions rm ${isElsewhere ? `--file ${shellWord(entry.path!)}` : entry.id}`;
    const isNamed =
      input.option("file") !== undefined || hasIdForm(input.need("ref")) || entry.id === input.need("ref");
    const would = isNamed ? [] : [`move ${describe(entry)} to the trash`];
    await agreedTo(input, { would, command });
    // A person may have thought about it for long, or gone on with it elsewhere.
    refuseInUse(entry, await hive.observe(), world);
    await hive.stores.trash.put(owner, (take) => removeFiles(cli, entry, take));
    cli.out.print(`moved ${entry.id} to the trash`);
    cli.out.note(`  put it back: ${cli.self} ${restoring(entry, hive.stores.trash.list())}`);
    return undefined;
  },
};

async function removeFiles(cli: Cli, entry: AnySession, take: (path: string) => string): Promise<void> {
  if (entry.store === "managed") {
    const { openManagedSessions } = await import("../agents/claw/managed-store.js");
    const { delete: remove } = openManagedSessions({ folder: entry.workspace!.path, env: cli.env });
    const { uncovers } = await remove(entry.id, { toTrash: take });
    if (uncovers !== null) cli.out.note(`an older session of that id comes to light: ${shown(uncovers)}`);
    return;
  }
  const { sessionFiles } = await import("../fleet/session-files.js");
  for (const path of sessionFiles(entry).paths) take(path);
}

/** What names it alone, from this folder. */
function restoring({ id, workspace }: AnySession, trash: readonly Aside[]): string {
  const [newest, ...older] = trash.filter((each) => each.id === id);
  const isHere = workspace !== null && workspace.path === workspaceOrNull()?.path;
  const name = older.length === 0 ? id : shellWord(newest!.name);
  return `sessions restore ${name}${isHere ? "" : " --all"}`;
}

function describe({ id, title, messages, sizeBytes }: AnySession): string {
  const facts = [title === null ? "" : shown(title), `${messages ?? 0} messages`, size(sizeBytes)];
  return `session ${id} (${facts.filter(Boolean).join(", ")})`;
}
