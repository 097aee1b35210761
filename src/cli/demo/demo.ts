import { setTimeout as delay } from "node:timers/promises";
import { exitCodes, HiveError } from "../../base/errors.js";
import { cutLines } from "../../base/text/table.js";
import type { ThrowAwayHome } from "../../demo/home.js";
import type { TeamView } from "../../fleet/view.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import type { Cli, Command } from "../command.js";
import { isAgent, teamLines } from "../status/show-teams.js";

export const demo: Command = {
  words: "demo",
  about: "show a team of demo agents on its own tmux server",
  options: [{ name: "once", about: "print the fleet once it is up, then exit" }],
  examples: ["hivemind demo", "hivemind demo --once"],
  notes:
    "Needs no account and no network, and touches nothing of yours: home, stores and tmux server are in a temporary\n" +
    "folder that is removed afterwards. Without a terminal it prints once and exits.",
  async run(cli, input) {
    const interrupted = cli.untilInterrupted();
    const { makeThrowAwayHome, removeThrowAwayHome, removeLeftHomes } = await import("../../demo/home.js");
    const { startDemoTeam } = await import("../../demo/team.js");
    const swept = await removeLeftHomes("demo");
    if (swept.length > 0)
      cli.out.note(`hivemind: removed what an earlier demo left behind (${swept.length})`);
    const home = makeThrowAwayHome("demo", cli.env);
    try {
      const hive = await startDemoTeam(home);
      const teams = await whenUp(hive, interrupted);
      if (input.flag("once") || !cli.out.isTerminal) cli.out.lines(teamLines(teams, cli.out.colours));
      else await showLive(cli, hive, home, interrupted);
    } finally {
      await removeThrowAwayHome(home.root);
    }
    if (interrupted.aborted) cli.out.note("hivemind: the demo has ended and left nothing behind");
    return exitCodes.done;
  },
};

/** Waits until every agent is idle. */
async function whenUp(hive: Hive, interrupted: AbortSignal): Promise<TeamView[]> {
  const deadline = performance.now() + limits.demoStartMs;
  for (;;) {
    const teams = await hive.viewTeams();
    const agents = teams.flatMap((team) => team.agents).filter(({ role }) => role !== null);
    const isUp = agents.length > 0 && agents.every((agent) => isAgent(agent) && agent.activity === "idle");
    if (isUp || interrupted.aborted) return teams;
    if (performance.now() > deadline) {
      const down = agents
        .filter(({ activity }) => activity !== "idle")
        .map(({ role, activity }) => `${role} is ${activity}`);
      throw new HiveError(`the demo agents did not come up: ${down.join(", ")}`);
    }
    await delay(50);
  }
}

const screen = {
  enter: "\u001b[?1049h\u001b[?25l",
  home: "\u001b[H",
  clearLine: "\u001b[K",
  clearRest: "\u001b[J",
  leave: "\u001b[?25h\u001b[?1049l",
};

async function showLive(cli: Cli, hive: Hive, home: ThrowAwayHome, interrupted: AbortSignal): Promise<void> {
  const { tellStory } = await import("../../demo/story.js");
  const { colours, columns, write } = cli.out;
  const hints = [
    "",
    colours.dim("Look inside (and answer the reviewer):"),
    `  tmux -S ${home.socket} attach`,
    colours.dim("Query it from another terminal:"),
    `  HIVEMIND_CONFIG_DIR=${home.env.HIVEMIND_CONFIG_DIR} HIVEMIND_TMUX_SOCKET=${home.socket} ${cli.self} status`,
    "",
    colours.dim("Ctrl-C ends the demo and removes everything."),
  ];
  write(screen.enter);
  const story = tellStory(hive, interrupted);
  try {
    while (!interrupted.aborted) {
      // The hints are for pasting, so they are not cut.
      const lines = [...cutLines(teamLines(await hive.viewTeams(), colours), columns), ...hints];
      write(screen.home + lines.map((line) => `${line}${screen.clearLine}\n`).join("") + screen.clearRest);
      await delay(limits.demoRedrawMs, undefined, { signal: interrupted }).catch(() => {});
    }
    await story;
  } finally {
    write(screen.leave);
  }
}
