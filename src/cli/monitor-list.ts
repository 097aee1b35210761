import { textTable } from "../base/table.js";
import type { Cli } from "./cli.js";
import type { Command, Input } from "./command.js";
import { shown } from "./output.js";

export const monitorList: Command = {
  words: "monitor list",
  about: "the viewer's windows, and what each really shows",
  examples: ["hivemind monitor list"],
  hasJson: true,
  run: list,
};

/** The same without a word more: how to look at the viewer is part of it. */
export const monitor: Command = {
  words: "monitor",
  about: "the viewer: its windows, and how to look at it",
  examples: ["hivemind monitor", "hivemind monitor --json"],
  notes: "Nothing is started by looking; `hivemind monitor setup` starts the viewer.",
  hasJson: true,
  run: list,
};

async function list(cli: Cli, input: Input) {
  const { viewerWorld, stores } = await cli.hive();
  const { lookAtViewer } = await import("../viewer/look.js");
  const { seatOf } = await import("../viewer/seats.js");
  const { attachHint } = await import("../viewer/viewer.js");
  const look = await lookAtViewer(viewerWorld);
  const seats = stores.viewerWindows.read().rows.map(({ window, team }) => {
    const seat = look === null ? null : seatOf(look, team);
    return {
      window: seat?.window ?? window,
      team,
      state: seat?.state ?? "no viewer",
      shows: seat?.shows ?? null,
    };
  });
  seats.sort((a, b) => a.window - b.window);
  const attach = look === null ? null : attachHint(look.session, seats[0]?.window ?? null);
  if (input.flag("json")) {
    const viewer = look && {
      session: look.session.id,
      pid: look.session.pid,
      attached: look.session.state === "attached",
      shown: look.shown,
      attach,
    };
    cli.out.json({ viewer, windows: seats });
    return undefined;
  }
  if (seats.length > 0) {
    const rows = seats.map(({ window, team, state, shows }) => [
      String(window),
      team,
      state === "wrong" ? `shows ${shown(shows ?? "nothing")}` : state,
    ]);
    cli.out.lines(textTable([["WINDOW", "TEAM", "STATE"], ...rows], ["right"]));
  }
  if (look === null) {
    cli.out.print("No viewer is running.");
    cli.out.note("  start it: hivemind monitor setup");
  } else cli.out.note(`look at it, in a terminal: ${attach}`);
  return undefined;
}
