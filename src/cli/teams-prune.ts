import { counted } from "../base/counted.js";
import { UsageError } from "../base/errors.js";
import { prunable } from "../teams/prune.js";
import { agreedTo } from "./agreement.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";
import { listSnapshots } from "./teams-list.js";

export const teamsPrune: Command = {
  words: "teams prune",
  about: "remove old saved fleets",
  options: [{ name: "keep", value: "n", about: "how many of the newest to keep; needed" }],
  asks: "removes snapshots",
  examples: ["hivemind teams prune --keep 20", "hivemind teams prune --keep 20 --yes"],
  notes:
    "The newest snapshot of each team is always kept, one that cannot be read, and one that somebody named.",
  async run({ out, hive }, input) {
    const typed = input.option("keep");
    if (typed === undefined || !/^[1-9]\d{0,5}$/.test(typed)) {
      throw new UsageError("teams prune needs --keep N, a number from 1 on", {
        hint: "hivemind teams prune --keep 20",
      });
    }
    const { snapshots } = (await hive()).stores;
    const all = listSnapshots(snapshots);
    const known = all.map((file) => ({ file, teams: file.teams?.map(({ team }) => team) ?? null }));
    const old = prunable(known, Number(typed)).map(({ file }) => file);
    const gone = old.filter(({ isForeign }) => !isForeign);
    if (gone.length === 0) {
      out.print(`nothing to remove: ${counted(all.length, "snapshot")}`);
      return undefined;
    }
    if (!input.flag("yes")) for (const { name } of gone) out.note(`  ${shown(name)}`);
    const would = [`remove ${counted(gone.length, "snapshot")} and keep ${all.length - gone.length}`];
    await agreedTo(input, { would, command: `teams prune --keep ${typed}` });
    await snapshots.prune(gone);
    out.print(`removed ${counted(gone.length, "snapshot")}, kept ${all.length - gone.length}`);
    return undefined;
  },
};
