import { stdin } from "node:process";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, exitCodes, HiveError } from "../../base/errors.js";
import type { ThrowAwayHome } from "../../demo/home.js";
import type { TeamView } from "../../fleet/view.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import type { WebServer } from "../../web/run-server.js";
import type { Cli, Command } from "../command.js";
import { isAgent, teamLines } from "../status/show-teams.js";

export const demo: Command = {
  words: "demo",
  about: "try hivemind on demo agents, on their own tmux server",
  options: [{ name: "once", about: "print the fleet once it is up, then exit" }],
  examples: ["hivemind demo", "hivemind demo --once"],
  notes:
    "Starts two teams of demo agents and shows them in `hivemind top`, with an address for your browser. Needs no account\n" +
    "and no network, and touches nothing of yours: home, stores and tmux server are in a temporary folder. q ends the demo\n" +
    "and removes everything.\n" +
    "Without a terminal it prints one team and exits.",
  async run(cli, input) {
    const interrupted = cli.untilInterrupted();
    const { makeThrowAwayHome, removeThrowAwayHome, removeLeftHomes } = await import("../../demo/home.js");
    const { startDemoTeams, demoTeam, secondTeam } = await import("../../demo/team.js");
    const swept = await removeLeftHomes("demo");
    if (swept.length > 0)
      cli.out.note(`hivemind: removed what an earlier demo left behind (${swept.length})`);
    const isLive = !input.flag("once") && cli.out.isTerminal && stdin.isTTY;
    const home = makeThrowAwayHome("demo", cli.env);
    try {
      if (isLive) cli.out.progress("starting five demo agents");
      const hive = await startDemoTeams(home, cli.program, isLive ? [demoTeam, secondTeam] : [demoTeam]);
      const teams = await whenUp(hive, interrupted);
      if (isLive && !interrupted.aborted) await showLive(cli, hive, home, interrupted);
      else if (!isLive) cli.out.lines(teamLines(teams, cli.out.colours));
    } finally {
      cli.out.progress(null);
      await removeThrowAwayHome(home.root);
    }
    if (isLive) cli.out.note("hivemind: the demo has ended and left nothing behind");
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

async function showLive(cli: Cli, hive: Hive, home: ThrowAwayHome, interrupted: AbortSignal): Promise<void> {
  const { openStory } = await import("../../demo/story.js");
  const { placeCommand } = await import("../../demo/home.js");
  const { saveFleet } = await import("../../teams/snapshot/save.js");
  const { plainWish, startWatcher } = await import("../../watch/process/watcher.js");
  const { showTop } = await import("../top/top.js");
  const self = placeCommand(home, cli.program);
  const inDemo = demoCli(cli, hive, home, self);
  const story = await openStory(hive);
  await saveFleet(hive.stores, await hive.observe(), { all: false });
  await startWatcher(hive.stores, plainWish, { program: cli.program, env: home.env });
  await story.begin(interrupted);
  cli.out.progress(null);
  if (interrupted.aborted) return;
  // Commands that are typed in `top` work in the demo's folder, not in the user's.
  process.chdir(home.workFolder);
  const end = new AbortController();
  const told = story.goOn(AbortSignal.any([interrupted, end.signal]));
  // Its error is thrown below, when the terminal is the user's again.
  told.catch(() => {});
  // The terminal ends a process whose signals nobody handles, and the first one has used up its handler.
  const stay = () => {};
  for (const signal of endings) process.on(signal, stay);
  let server: WebServer | null = null;
  try {
    server = await openDemoServer(inDemo, hive);
    await showTop(inDemo, [
      "The reviewer waits for you: a approves, r rejects. s sends, K ends, R restarts.",
      ...(server === null ? [] : [`in your browser: ${server.newLink()}`]),
      `from another terminal: ${self} status`,
      `or look inside: tmux -S ${home.socket} attach`,
    ]);
  } finally {
    end.abort();
    await server?.close();
    await told.finally(() => {
      for (const signal of endings) process.off(signal, stay);
    });
  }
}

/** The page of the demo's own fleet, on any free port. Null where no server can be opened: the demo goes on without it. */
async function openDemoServer(inDemo: Cli, hive: Hive): Promise<WebServer | null> {
  const { openServer } = await import("../serve/open-server.js");
  const { needPerson } = await import("../person.js");
  const panes = await hive.panes();
  try {
    const person = hive.decider(panes).kind === "person" ? needPerson(inDemo, hive, panes) : null;
    // `top` has the terminal.
    const note = () => {};
    const listen = { host: "127.0.0.1", port: 0 };
    return await openServer(
      inDemo,
      person,
      { listen, allowed: { actions: person !== null, typing: false } },
      note,
    );
  } catch (error) {
    if (error instanceof HiveError || errorCode(error) !== undefined) return null;
    throw error;
  }
}

const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What the commands of `top` see: the demo's hive and environment, and the user's terminal and editor. */
function demoCli(cli: Cli, hive: Hive, home: ThrowAwayHome, self: string): Cli {
  const names = ["USER", "VISUAL", "EDITOR", "NO_COLOR", "COLORTERM"];
  const own = names.flatMap((name) => (cli.env[name] === undefined ? [] : [[name, cli.env[name]]]));
  return { ...cli, self, env: { ...home.env, ...Object.fromEntries(own) }, hive: async () => hive };
}
