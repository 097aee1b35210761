import { limits } from "../limits.js";
import type { Command } from "./command.js";
import { registeredTeam } from "./monitor-said.js";
import { noteSizes, sizeText, sizeTyped } from "./size-said.js";

export const sizeLock: Command = {
  words: "size lock",
  about: "the least size that a team's windows have while nobody looks",
  args: [
    { name: "team", about: "a registered team", meaning: "team" },
    {
      name: "size",
      about: `columns x rows; ${limits.floorWidth}x${limits.floorHeight} without it`,
      meaning: "text",
      isOptional: true,
    },
  ],
  examples: ["hivemind size lock web4team", "hivemind size lock web4team 200x50"],
  notes:
    "A window only ever grows by it, and tmux goes on to size it: whoever attaches gets it in the size of the terminal.",
  async run(cli, input) {
    const { floorWidth: width, floorHeight: height } = limits;
    const typed = input.arg("size");
    const size = typed === undefined ? { width, height } : sizeTyped(typed);
    const hive = await cli.hive();
    const team = registeredTeam(hive, input.need("team"));
    await hive.stores.sizeLocks.update((rows) => [
      ...rows.filter((row) => row.team !== team),
      { team, ...size },
    ]);
    cli.out.print(`${team}: at least ${sizeText(size)}`);
    const { applySizes } = await import("../layout/apply-sizes.js");
    noteSizes(await applySizes(hive, team), cli.out);
    return undefined;
  },
};
