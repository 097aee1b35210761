import { exitCodes } from "../base/errors.js";
import type { Command } from "./command.js";
import { shown } from "./output.js";

export const monitorVerify: Command = {
  words: "monitor verify",
  about: "whether the viewer shows what it names; exit code 1 if not",
  examples: ["hivemind monitor verify"],
  notes: "A window whose title ends in ? names no team yet: it is told, and is no reason for exit code 1.",
  hasJson: true,
  async run(cli, input) {
    const { viewerWorld, stores } = await cli.hive();
    const { needViewer } = await import("../viewer/look.js");
    const { differencesOf, shownClaim } = await import("../viewer/seats.js");
    const look = await needViewer(viewerWorld);
    const { rows } = stores.viewerWindows.read();
    const claim = shownClaim(look, rows);
    const found = differencesOf(look, rows);
    const differences = found.map(({ words }) => words);
    const isFalse = found.some(({ isClaimed }) => isClaimed);
    const exitCode = isFalse ? exitCodes.refused : undefined;
    if (input.flag("json")) {
      cli.out.json({
        shown: { window: look.shown, named: claim?.named ?? null, shows: claim?.shows ?? null },
        differences,
      });
      return exitCode;
    }
    for (const line of differences) cli.out.print(shown(line));
    if (differences.length > 0) cli.out.note("  put it right: hivemind monitor sync");
    else cli.out.print(`all is as it is named${claim === null ? "" : `; in front: ${claim.named}`}`);
    return exitCode;
  },
};
