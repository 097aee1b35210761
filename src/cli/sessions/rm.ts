import { shellWord } from "../../base/text/shell-word.js";
import { hasIdForm } from "../../fleet/sessions/session-find.js";
import type { AnySession } from "../../fleet/sessions/session-list.js";
import type { ArchivedSession } from "../../stores/file/session-archive.js";
import { confirmOrRefuse } from "../ask.js";
import type { Cli, Command } from "../command.js";
import { shown } from "../output.js";
import { boundaryNote, workspaceOrNull } from "../workspace.js";
import { size } from "./cells.js";
import { allOption, fileOption, meantOrFile, refOrFile } from "./known.js";

export const sessionsRm: Command = {
  words: "sessions rm",
  about: "move a session to the trash",
  args: [refOrFile],
  options: [fileOption, allOption],
  asks: "moves a session that was not named by id or file",
  examples: ["hivemind sessions rm 15533422", "hivemind sessions rm session-1794722529082-0 --yes"],
  get notes() {
    return `Refuses a session that is in use. Deletes nothing: hivemind sessions restore ID brings it back.\n${boundaryNote()}`;
  },
  async run(cli, input) {
    const { hive, fleet, entry } = await meantOrFile(cli, input, this.words);
    const { needOf } = await import("../../agents/all.js");
    needOf(entry.agent, "archive");
    const { sessionFiles } = await import("../../fleet/sessions/session-files.js");
    const { refuseInUse } = await import("../../teams/in-use.js");
    const world = { env: cli.env, stores: hive.stores };
    const { owner } = sessionFiles(entry);
    refuseInUse(entry, fleet, world);
    // Several folders may have the id; in this folder it names the session that was found.
    const isElsewhere = input.flag("all") || input.option("file") !== undefined;
    const command = `sessions rm ${isElsewhere ? `--file ${shellWord(entry.path!)}` : entry.id}`;
    const isNamed =
      input.option("file") !== undefined || hasIdForm(input.need("ref")) || entry.id === input.need("ref");
    const would = isNamed ? [] : [`move ${describe(entry)} to the trash`];
    await confirmOrRefuse(input, { would, command });
    // The session may have been opened during the question.
    refuseInUse(entry, await hive.observe(), world);
    await hive.stores.trash.put(owner, (take) => removeFiles(cli, entry, take));
    cli.out.print(`moved ${entry.id} to the trash`);
    cli.out.note(`  to restore it: ${cli.self} ${restoring(entry, hive.stores.trash.list())}`);
  },
};

async function removeFiles(cli: Cli, entry: AnySession, take: (path: string) => string): Promise<void> {
  if (entry.store === "managed") {
    const { openManagedSessions } = await import("../../agents/claw/managed-store.js");
    const { delete: remove } = openManagedSessions({ folder: entry.workspace!.path, env: cli.env });
    const { uncovers } = await remove(entry.id, { toTrash: take });
    if (uncovers !== null) cli.out.note(`an older session with that id is now visible: ${shown(uncovers)}`);
    return;
  }
  const { sessionFiles } = await import("../../fleet/sessions/session-files.js");
  for (const path of sessionFiles(entry).paths) take(path);
}

/** A restore command that names exactly this session from this folder. */
function restoring({ id, workspace }: AnySession, trash: readonly ArchivedSession[]): string {
  const [newest, ...older] = trash.filter((each) => each.id === id);
  const isHere = workspace !== null && workspace.path === workspaceOrNull()?.path;
  const name = older.length === 0 ? id : shellWord(newest!.name);
  return `sessions restore ${name}${isHere ? "" : " --all"}`;
}

function describe({ id, title, messages, sizeBytes }: AnySession): string {
  const facts = [title === null ? "" : shown(title), `${messages ?? 0} messages`, size(sizeBytes)];
  return `session ${id} (${facts.filter(Boolean).join(", ")})`;
}
