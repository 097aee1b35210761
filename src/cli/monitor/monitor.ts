// The commands for the viewer.

import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import { counted } from "../../base/text/counted.js";
import { textTable } from "../../base/text/table.js";
import type { Hive } from "../../hive/hive.js";
import { type TeamName, teamName } from "../../names/gates.js";
import type { WindowsDone } from "../../viewer/windows.js";
import type { Cli, Command, Input } from "../command.js";
import { type Output, shown } from "../output.js";
import { noteSizes, registeredTeam } from "../size/size.js";

export const monitorCommands: readonly Command[] = [
  // The list includes how to attach to the viewer.
  {
    words: "monitor",
    about: "the viewer (all teams in one terminal): its windows",
    examples: ["hivemind monitor", "hivemind monitor --json"],
    notes: "Starts nothing; `hivemind monitor setup` starts the viewer.",
    hasJson: true,
    run: list,
  },
  {
    words: "monitor setup",
    about: "start the viewer: GNU screen, one window per team",
    args: [
      {
        name: "team",
        about: "only these teams (default: every registered team that runs)",
        meaning: "team",
        isOptional: true,
        takesRest: true,
      },
    ],
    options: [{ name: "all", about: "also teams that do not run yet; they get a window when they start" }],
    examples: [
      "hivemind monitor setup",
      "hivemind monitor setup web4team ops",
      "hivemind monitor setup --all",
    ],
    notes:
      "No other command starts the viewer, and only the viewer needs GNU screen. Its windows are read-only: no key reaches a\n" +
      "team, and they do not resize it.\n" +
      "For this a tmux session named hivemind-keeps-sizes exists while the viewer runs.",
    async run(cli, input) {
      const hive = await cli.hive();
      const { attachHint, setUpViewer } = await import("../../viewer/viewer.js");
      const typed = input.arg("team")?.split(" ");
      const running = new Set((await hive.panes()).panes.map(({ sessionName }) => sessionName));
      const registered = hive.stores.teams.read().rows.map(({ team }) => team);
      const named = typed?.map((name) => registeredTeam(hive, name));
      const teams = named ?? registered.filter((team) => input.flag("all") || running.has(team));
      if (!teams.some((team) => running.has(team))) {
        const what = named === undefined ? "no registered team" : `none of ${named.join(", ")}`;
        throw new HiveError(`${what} is running`, { hint: "hivemind team list" });
      }
      const done = await setUpViewer(hive.viewerWorld, teams);
      const exitCode = await sayWindows(hive, done, cli.out);
      if (done.opened.length + done.ended === 0) cli.out.print("nothing to do: the viewer is already set up");
      const numbers = hive.stores.viewerWindows.read().rows.map(({ window }) => window);
      const { session } = done.look;
      const first = numbers.length > 0 ? Math.min(...numbers) : null;
      if (session.state !== "attached")
        cli.out.print(`to see it, in a terminal: ${attachHint(session, first)}`);
      return exitCode;
    },
  },
  {
    words: "monitor add",
    about: "give a team a window in the viewer",
    args: [{ name: "team", about: "a registered team that runs", meaning: "team" }],
    examples: ["hivemind monitor add web4team"],
    async run(cli, input) {
      const hive = await cli.hive();
      const team = registeredTeam(hive, input.need("team"));
      const { runningTeam } = await import("../../fleet/which-team.js");
      runningTeam(await hive.panes(), team);
      const { syncViewer } = await import("../../viewer/viewer.js");
      const done = await syncViewer(hive.viewerWorld, [team]);
      const exitCode = await sayWindows(hive, done, cli.out);
      if (done.opened.length + done.failed.length === 0) cli.out.print(`${team} already has a window`);
      return exitCode;
    },
  },
  {
    words: "monitor remove",
    about: "remove a team's window from the viewer",
    args: [{ name: "team", about: "a team that has a window", meaning: "team" }],
    examples: ["hivemind monitor remove web4team"],
    notes: "The team keeps running.",
    async run(cli, input) {
      const team = teamName(input.need("team"));
      const { viewerWorld } = await cli.hive();
      const { removeFromViewer } = await import("../../viewer/viewer.js");
      if (!(await removeFromViewer(viewerWorld, team))) {
        throw new HiveError(`${team} has no window in the viewer`, { hint: "hivemind monitor list" });
      }
      cli.out.print(`removed ${team} from the viewer`);
      return undefined;
    },
  },
  {
    words: "monitor switch",
    about: "bring a team to the front in the viewer",
    args: [{ name: "team", about: "a team that has a window", meaning: "team" }],
    examples: ["hivemind monitor switch web4team"],
    notes: "Checks after the switch which window is in front, and reports that one.",
    async run(cli, input) {
      const team = teamName(input.need("team"));
      const { viewerWorld } = await cli.hive();
      const { switchViewer } = await import("../../viewer/viewer.js");
      const { window } = await switchViewer(viewerWorld, team);
      cli.out.print(`the viewer shows ${team} (window ${window})`);
      return undefined;
    },
  },
  {
    words: "monitor sync",
    about: "repair the viewer's windows and apply size locks",
    options: [{ name: "all", about: "also add registered teams that have no window yet" }],
    examples: ["hivemind monitor sync", "hivemind monitor sync --all"],
    notes:
      "Reads the window numbers again, creates missing windows, and closes those of teams that are no longer registered.\n" +
      "Windows that you opened yourself stay.",
    async run(cli, input) {
      const hive = await cli.hive();
      const { syncViewer } = await import("../../viewer/viewer.js");
      const more = input.flag("all") ? hive.stores.teams.read().rows.map(({ team }) => team) : [];
      const before = JSON.stringify(hive.stores.viewerWindows.read().rows);
      const done = await syncViewer(hive.viewerWorld, more);
      const exitCode = await sayWindows(hive, done, cli.out);
      const isSame = JSON.stringify(hive.stores.viewerWindows.read().rows) === before;
      if (done.opened.length + done.ended + done.failed.length === 0)
        cli.out.print(isSame ? "nothing to do: the viewer is up to date" : "updated the window numbers");
      return exitCode;
    },
  },
  {
    words: "monitor list",
    about: "list the viewer's windows and what each shows",
    examples: ["hivemind monitor list"],
    hasJson: true,
    run: list,
  },
  {
    words: "monitor verify",
    about: "check that each window shows its team",
    examples: ["hivemind monitor verify"],
    notes:
      "Exit code 1 if a window shows something else. A title that ends in ? is reported, but is not an error.",
    hasJson: true,
    async run(cli, input) {
      const { viewerWorld, stores } = await cli.hive();
      const { needViewer } = await import("../../viewer/look.js");
      const { differencesOf, shownClaim } = await import("../../viewer/team-windows.js");
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
      if (differences.length > 0) cli.out.note("  to repair: hivemind monitor sync");
      else cli.out.print(`every window shows its team${claim === null ? "" : `; in front: ${claim.named}`}`);
      return exitCode;
    },
  },
  {
    words: "monitor reset",
    about: "end the viewer and forget its windows",
    examples: ["hivemind monitor reset"],
    notes: "The teams keep running. Also works for a viewer that hangs or has died.",
    async run(cli) {
      const { viewerWorld, stores } = await cli.hive();
      const { resetViewer } = await import("../../viewer/reset.js");
      const forgotten = stores.viewerWindows.read().rows.length;
      const ended = await resetViewer(viewerWorld);
      const viewer = ended.length === 0 ? "no viewer" : `the viewer (process ${ended.join(", ")})`;
      if (ended.length + forgotten === 0) cli.out.print("nothing to do: no viewer is set up");
      else cli.out.print(`ended ${viewer}, forgot ${counted(forgotten, "window")}`);
      return undefined;
    },
  },
  {
    words: "monitor fit",
    about: "fit the viewer to your terminal",
    examples: ["hivemind monitor fit"],
    notes: "The teams keep their sizes; of a larger team you see only a part.",
    async run(cli) {
      const { viewerWorld } = await cli.hive();
      const { fitViewer } = await import("../../viewer/viewer.js");
      await fitViewer(viewerWorld);
      cli.out.print("fitted the viewer to its terminal");
      return undefined;
    },
  },
];

async function list(cli: Cli, input: Input) {
  const { viewerWorld, stores } = await cli.hive();
  const { lookAtViewer } = await import("../../viewer/look.js");
  const { windowOf } = await import("../../viewer/team-windows.js");
  const { attachHint } = await import("../../viewer/viewer.js");
  const look = await lookAtViewer(viewerWorld);
  const seats = stores.viewerWindows.read().rows.map(({ window, team }) => {
    const seat = look === null ? null : windowOf(look, team);
    const state = seat?.state ?? "no viewer";
    return { window: seat?.window ?? window, team, state, shows: seat?.shows ?? null };
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
  } else cli.out.note(`to see it, in a terminal: ${attach}`);
  return undefined;
}

/** Prints what was done, then detaches clients that would shrink teams and applies the size locks. */
async function sayWindows(hive: Hive, done: WindowsDone, out: Output): Promise<ExitCode | undefined> {
  const { rows } = hive.stores.viewerWindows.read();
  const windowOf = (team: TeamName) => rows.find((row) => row.team === team)?.window ?? "–";
  for (const team of done.opened) out.print(`${team}: window ${windowOf(team)}`);
  if (done.ended > 0) out.print(`ended ${counted(done.ended, "window")}`);
  for (const { team, shows } of done.failed)
    out.note(`hivemind: ${team}: its window shows ${shown(shows ?? "nothing")}`);
  const { applySizes } = await import("../../layout/apply-sizes.js");
  noteSizes(await applySizes(hive), out);
  if (done.failed.length === 0) return undefined;
  out.note("  see what differs: hivemind monitor verify");
  return exitCodes.refused;
}
