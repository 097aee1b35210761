// The first hour of a user with the built command, in worlds that are not the one where it was built: other versions of
// tmux and of node, and homes, locales and terminals as people have them.

import { execFile } from "node:child_process";
import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { atTerminal } from "../at-terminal.js";
import { mainProgram } from "../command.js";
import { makeHome, paneVariables, removeHome, type TestHome, until } from "../home.js";
import { otherNode } from "../nodes.js";
import { type TmuxVersion, tmuxFolder } from "../tmux-versions.js";

interface World {
  name: string;
  tmux?: TmuxVersion;
  node?: number;
  env?: Record<string, string>;
  /** The team, and the folder in which it works. */
  team?: string;
  folder?: string;
  /** The home and the working folder are reached through a link. */
  isLinked?: boolean;
}

const long = "n".repeat(200);
const worlds: World[] = [
  { name: "tmux of Debian 13", tmux: "trixie" },
  { name: "the newest tmux of Debian", tmux: "sid" },
  { name: "node 22", node: 22 },
  { name: "node 24", node: 24 },
  { name: "locale C, on tmux of Debian 13", tmux: "trixie", env: { LANG: "C", LC_ALL: "C" } },
  { name: "no locale, TERM dumb, the newest tmux", tmux: "sid", env: { LANG: "", TERM: "dumb" } },
  { name: "POSIX, a folder with blanks", env: { LC_ALL: "POSIX", TERM: "vt100" }, folder: "my work, a b" },
  { name: "a home on a link, long names", isLinked: true, team: "t".repeat(64), folder: long },
];

test.concurrent.each(worlds)("$name", { timeout: 120_000 }, async (world) => {
  // Tests that run at once cannot leave the end of their homes to `testHome`: it would be that of another test.
  const home = makeHome();
  try {
    await firstHour(home, world);
  } finally {
    removeHome(home);
  }
});

async function firstHour(home: TestHome, world: World): Promise<void> {
  const { run, json, team, program } = await userIn(home, world);
  expect(await run("--version")).toMatch(/^\d+\.\d+\.\d+$/m);
  expect(await run("status")).toContain("No tmux sessions running");
  await run("team", "setup", team, "lead", "builder", "--kind", "demo");
  const begun = await untilIdle(json, 2);
  expect(await run("resolve", "lead")).toContain(`${team}:`);

  expect(await run("send", "lead", "--wait", "hello")).toBe("Heard: hello\n");
  await run("agent", "fork", "lead", "--as", "second");
  const forked = await untilIdle(json, 3);
  expect(await run("lineage")).toContain("second");
  await run("agent", "restart", "builder", "--yes");
  const sessions = await untilIdle(json, 3);
  expect(sessions).toMatchObject({ ...begun, second: forked.second });

  await run("send", "builder", "go [ask]");
  await until("its request", async () => (await run("inbox")).includes("builder"));
  expect(await run("approve", "builder")).toContain("Yes");
  await untilIdle(json, 3);
  expect(await run("agent", "monitor", "lead")).toContain("hello");
  expect(await run("save")).toContain(team);

  const server = Number(home.tmux("display-message", "-p", "#{pid}"));
  process.kill(server, "SIGKILL");
  await until("its server has ended", () => readProcStat(server) === null);
  expect(await run("status")).toContain("not running");
  await run("restore");
  expect(await untilIdle(json, 3)).toEqual(sessions);
  await run("consistency", "audit");

  // tmux names its own terminal.
  const { TERM: _, ...own } = home.env;
  const window = ["new-window", "-t", `=${team}:`, ...paneVariables(own), "-P", "-F", "#{pane_id}"];
  const top = home.tmux(...window, program, mainProgram, "top").trim();
  const screen = () => home.tmux("capture-pane", "-p", "-t", top);
  await until("top shows the team", () => /builder.*idle/.test(screen()) && /second.*idle/.test(screen()));
  home.tmux("send-keys", "-t", top, "q");
  await until("top has ended", () => !home.tmux("list-panes", "-a", "-F", "#{pane_id}").includes(`${top}\n`));
}

type Json = (...args: string[]) => Promise<Record<string, unknown>>;

/** The session of each role. */
async function untilIdle(json: Json, count: number): Promise<Record<string, string>> {
  return until(`${count} idle agents`, async () => {
    const { teams } = (await json("status")) as { teams: { agents: Record<string, string>[] }[] };
    const agents = teams.flatMap(({ agents }) => agents);
    const idle = agents.filter(({ activity, uuid }) => activity === "idle" && uuid !== null);
    return idle.length === count ? Object.fromEntries(idle.map(({ role, uuid }) => [role!, uuid!])) : null;
  });
}

async function userIn(home: TestHome, world: World) {
  const { tmux = "machine", node, env = {}, team = "shop", folder, isLinked } = world;
  const [path, program] = await Promise.all([
    tmuxFolder(tmux),
    node === undefined ? process.execPath : otherNode(node),
  ]);
  Object.assign(home.env, env, path === null ? {} : { PATH: `${path}:${home.env.PATH}` });
  if (isLinked) linkHome(home);
  const cwd = folder === undefined ? home.work : join(home.work, folder);
  mkdirSync(cwd, { recursive: true });

  const run = (...args: string[]) =>
    new Promise<string>((resolve, reject) => {
      const [file, words] = atTerminal([program, mainProgram, ...args]);
      execFile(file, words, { env: home.env, cwd, encoding: "utf8" }, (error, stdout, stderr) =>
        error
          ? reject(new Error(`hivemind ${args.join(" ")}: exit ${error.code}: ${stdout}${stderr}`))
          : resolve(stdout),
      );
    });
  const json: Json = async (...args) => JSON.parse(await run(...args, "--json"));
  return { run, json, team, program };
}

/** What the environment names is a link; the real folder lies elsewhere. */
function linkHome(home: TestHome): void {
  const real = join(home.root, "real");
  renameSync(home.home, real);
  symlinkSync(real, home.home);
  const work = join(home.root, "real-work");
  renameSync(home.work, work);
  symlinkSync(work, home.work);
}
