import { exitCodes } from "../base/errors.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const monitorVerify: Command = {
  words: "monitor verify",
  about: "whether the viewer shows what it names; exit code 1 if not",
  examples: ["hivemind monitor verify"],
  hasJson: true,
  async run(cli, input) {
    const { viewerWorld, stores } = await cli.hive();
    const { needViewer } = await import("../viewer/look.js");
    const { differencesOf, shownClaim } = await import("../viewer/seats.js");
    const look = await needViewer(viewerWorld);
    const { rows } = stores.viewerWindows.read();
    const claim = shownClaim(look, rows);
    const differences = differencesOf(look, rows);
    const exitCode = differences.length === 0 ? undefined : exitCodes.refused;
    if (input.flag("json")) {
      cli.out.json({
        shown: { window: look.shown, named: claim?.named ?? null, shows: claim?.shows ?? null },
        differences,
      });
      return exitCode;
    }
    for (const line of differences) cli.out.print(shown(line));
    if (exitCode !== undefined) cli.out.note("  put it right: hivemind monitor sync");
    else cli.out.print(`all is as it is named${claim === null ? "" : `; in front: ${claim.named}`}`);
    return exitCode;
  },
};
