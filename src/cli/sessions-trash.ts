import type { Command } from "./command.js";
import { boundaryOf, hereOrAll } from "./here.js";
import { shown } from "./output.js";
import { allOption } from "./sessions-known.js";
import { asideJson, asideLines, asideOf } from "./show-aside.js";

export const sessionsTrash: Command = {
  words: "sessions trash",
  about: "the sessions of this folder that were removed, newest first",
  options: [allOption],
  examples: ["hivemind sessions trash", "hivemind sessions trash --all --json"],
  notes: "Nothing in it is ever deleted by hivemind; what you remove from its folder yourself is gone.",
  hasJson: true,
  async run({ out, hive }, input) {
    const here = hereOrAll(input);
    const { trash } = (await hive()).stores;
    const all = trash.list();
    const found = asideOf(all, here);
    if (input.flag("json")) {
      out.json({ workspace: boundaryOf(here), folder: trash.folder, trash: found.map(asideJson) });
    } else if (found.length === 0) {
      const others =
        all.length === 0 ? "" : ` (of other folders: ${all.length}, hivemind sessions trash --all)`;
      out.print(`No session${here === null ? "" : ` of ${shown(here.path)}`} is in the trash${others}.`);
    } else {
      out.table(asideLines(found, Date.now()));
      const everywhere = here === null ? " --all" : "";
      out.note(
        `  put one back: hivemind sessions restore NAME${everywhere}   (they lie in ${shown(trash.folder)})`,
      );
    }
    return undefined;
  },
};
