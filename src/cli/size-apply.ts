import type { Command } from "./command.js";
import { registeredTeam } from "./monitor-said.js";
import { noteSizes } from "./size-said.js";

export const sizeApply: Command = {
  words: "size apply",
  about: "detach clients that nobody sits at, and let windows grow to their team's least size",
  args: [{ name: "team", about: "else every registered team", meaning: "team", isOptional: true }],
  examples: ["hivemind size apply", "hivemind size apply web4team"],
  notes:
    "Only clients that merely look are detached: in a terminal too small to read in, or below the lock and without a\n" +
    "key for ten minutes. A team without a lock grows only if it has collapsed. `watch` does the same.",
  async run(cli, input) {
    const hive = await cli.hive();
    const typed = input.arg("team");
    const { applySizes } = await import("../layout/apply-sizes.js");
    const done = await applySizes(hive, typed === undefined ? undefined : registeredTeam(hive, typed));
    noteSizes(done, cli.out);
    if (done.detached.length + done.grown.length + done.stuck.length === 0) cli.out.print("nothing to do");
    return done.stuck.length > 0 ? 1 : undefined;
  },
};
