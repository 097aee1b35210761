import { HiveError } from "../base/errors.js";
import { teamName } from "../names/gates.js";
import type { Command } from "./command.js";

export const sizeUnlock: Command = {
  words: "size unlock",
  about: "a team's windows may have any size again",
  args: [{ name: "team", about: "a team with a size lock", meaning: "team" }],
  examples: ["hivemind size unlock web4team"],
  async run(cli, input) {
    const team = teamName(input.need("team"));
    const { stores } = await cli.hive();
    const { changed } = await stores.sizeLocks.update((rows) => rows.filter((row) => row.team !== team));
    if (!changed) throw new HiveError(`${team} has no size lock`, { hint: "hivemind size status" });
    cli.out.print(`${team}: no size lock`);
    return undefined;
  },
};
