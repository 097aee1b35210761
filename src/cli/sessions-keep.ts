import type { Cli } from "./cli.js";
import type { Command, Input } from "./command.js";
import { boundaryOf, hereOrAll } from "./here.js";
import { shown } from "./output.js";
import { allOption, refArgument } from "./sessions-known.js";
import { fileOption, meantOrFile } from "./sessions-meant.js";
import { asideJson, asideLines, asideOf } from "./show-aside.js";
import { age, size } from "./show-sessions.js";

export const sessionsKeep: Command = {
  words: "sessions keep",
  about: "a copy of a session that outlives the client's cleaning up; without REF, what is kept",
  args: [{ ...refArgument, isOptional: true }],
  options: [fileOption, allOption],
  examples: [
    "hivemind sessions keep latest",
    "hivemind sessions keep",
    "hivemind sessions keep --all --json",
  ],
  notes:
    "The client deletes transcripts that nobody has written to for 30 days (cleanupPeriodDays in its settings). Said\n" +
    "again it brings the copy up to date. What the client has deleted comes back with: hivemind sessions restore ID",
  hasJson: true,
  async run(cli, input) {
    if (input.arg("ref") === undefined && input.option("file") === undefined) await showKept(cli, input);
    else await keep(cli, input);
    return undefined;
  },
};

async function keep(cli: Cli, input: Input): Promise<void> {
  const { hive, entry } = await meantOrFile(cli, input, sessionsKeep.words);
  const { sessionFiles } = await import("../fleet/session-files.js");
  const { owner, paths } = sessionFiles(entry);
  const { path, replaced } = await hive.stores.kept.keep(owner, paths);
  if (input.flag("json")) {
    const [copy] = hive.stores.kept.list().filter((each) => each.path === path);
    cli.out.json({ kept: copy === undefined ? [] : [asideJson(copy)] });
    return;
  }
  const [older] = replaced;
  const since = older === undefined ? "" : `, in the place of the copy of ${age(older.atMs, Date.now())} ago`;
  cli.out.print(`kept ${entry.id} (${size(entry.sizeBytes)})${since}`);
  cli.out.note(`  ${shown(path)}`);
}

async function showKept({ out, hive }: Cli, input: Input): Promise<void> {
  const here = hereOrAll(input);
  const { kept } = (await hive()).stores;
  const all = kept.list();
  const found = asideOf(all, here);
  if (input.flag("json")) {
    out.json({ workspace: boundaryOf(here), folder: kept.folder, kept: found.map(asideJson) });
  } else if (found.length === 0) {
    const others = all.length === 0 ? "" : ` (of other folders: ${all.length}, hivemind sessions keep --all)`;
    out.print(`No session${here === null ? "" : ` of ${shown(here.path)}`} is kept${others}.`);
    out.note("  keep one: hivemind sessions keep REF");
  } else {
    out.lines(asideLines(found, Date.now()));
    const everywhere = here === null ? " --all" : "";
    out.note(
      `  bring one back: hivemind sessions restore ID${everywhere}   (they lie in ${shown(kept.folder)})`,
    );
  }
}
