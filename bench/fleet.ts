// Measures a fleet of a hundred panes and two thousand transcripts, and compares it with shell scripts.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Bar, medianTimes, type Timed } from "./bar.js";
import { makeCorpus } from "./corpus.js";

const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
const demoAgent = fileURLToPath(new URL("../dist/demo-agent.js", import.meta.url));
const node = process.execPath;
const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";

interface Home {
  root: string;
  env: Record<string, string>;
  tmux(...args: string[]): string;
}

export async function fleetBars(transcripts = 2000, megabytes = 2000): Promise<Bar[]> {
  const home = makeHome();
  try {
    makeCorpus({
      folder: home.env.CLAUDE_CONFIG_DIR!,
      transcripts,
      bytes: megabytes * 1e6,
      workFolder: home.root,
    });
    const small = startPanes(home, "one", 1);
    const large = startPanes(home, "hundred", 100);
    // The first run reads everything; from then on the index is cached.
    run(home, large, "status");
    return [...warmBars(home, large), ...sizeBar(home, small, large), ...forkBars(home)];
  } finally {
    for (const name of ["one", "hundred"])
      quietly(() => home.tmux("-S", join(home.root, name), "kill-server"));
    rmSync(home.root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function makeHome(): Home {
  const root = mkdtempSync(join(tmpdir(), "hm-fleet-"));
  // The user's own environment: node's cost in it is on both sides of every ratio.
  const { TMUX: _, TMUX_PANE: __, ...own } = process.env as Record<string, string>;
  const env = {
    ...own,
    HOME: root,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    HIVEMIND_CONFIG_DIR: join(root, "config"),
    CLAUDE_CONFIG_DIR: join(root, "claude"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  mkdirSync(env.HIVEMIND_CONFIG_DIR);
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-f", "/dev/null", ...args], { env, encoding: "utf8" });
  return { root, env, tmux };
}

/** A separate server with so many panes, the first of them a running agent. */
function startPanes({ root, env, tmux }: Home, name: string, panes: number): Record<string, string> {
  const socket = join(root, name);
  const on = ["-S", socket];
  const agent = [
    node,
    demoAgent,
    "--session-id",
    uuid.replace(/^./, name === "one" ? "a" : "b"),
    "-n",
    "bench-agent",
  ];
  tmux(...on, "new-session", "-d", "-x", "200", "-y", "200", "-s", "t0", "-c", root, ...agent);
  for (let made = 1; made < panes; made++) {
    if (made % 10 === 0)
      tmux(...on, "new-session", "-d", "-x", "200", "-y", "200", "-s", `t${made / 10}`, "cat");
    else
      tmux(
        ...on,
        "split-window",
        "-d",
        "-t",
        `=t${Math.floor(made / 10)}:`,
        "cat",
        ";",
        "select-layout",
        "tiled",
      );
  }
  return { ...env, HIVEMIND_TMUX_SOCKET: socket };
}

function run(home: Home, env: Record<string, string>, ...args: string[]): void {
  execFileSync(node, [main, ...args], { env, cwd: home.root, stdio: "ignore" });
}

const command = (env: Record<string, string>, ...args: string[]): Timed => ({
  program: node,
  args: [main, ...args],
  env,
});
const against = (ms: number, other: number) => `${ms.toFixed(0)} ms against ${other.toFixed(0)} ms`;

function warmBars(home: Home, env: Record<string, string>): Bar[] {
  const empty: Timed = { program: node, args: ["-e", "0"], env };
  const asked = [
    command(env, "session", "current", "t0:0.0"),
    command(env, "status"),
    { ...command(env, "sessions"), cwd: manySessions(home) },
  ];
  const [bare, current, status, sessions] = medianTimes([empty, ...asked], 21) as [
    number,
    number,
    number,
    number,
  ];
  const [shell] = medianTimes([shellWay(home)], 1) as [number];
  return [
    {
      name: "warm `session current` against `node -e 0`",
      ratio: current / bare,
      bar: 2,
      detail: against(current, bare),
    },
    {
      name: "warm `status` against `node -e 0`",
      ratio: status / bare,
      bar: 2.5,
      detail: against(status, bare),
    },
    {
      name: "warm `sessions` of a folder with many against `node -e 0`",
      ratio: sessions / bare,
      bar: 2.5,
      detail: against(sessions, bare),
    },
    {
      name: "grep per file, the shell way, against `session current`",
      ratio: shell / current,
      bar: 50,
      atLeast: true,
      detail: against(shell, current),
    },
  ];
}

/** The corpus puts more conversations into its first projects than into the last. */
function manySessions({ root }: Home): string {
  const folder = join(root, "project-0");
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** As the forks document does it: the last title of each transcript, by one grep per file. */
function shellWay({ env }: Home): Timed {
  const script = `for f in "$CLAUDE_CONFIG_DIR"/projects/*/*.jsonl; do
    t=$(grep -o '"customTitle":"[^"]*"' "$f" | tail -1); c=$(grep -o '"cwd":"[^"]*"' "$f" | head -1)
    [ "$t" = '"customTitle":"bench-agent"' ] && stat -c '%Y %n' "$f"; done | sort -rn | head -1`;
  return { program: "sh", args: ["-c", script], env };
}

function sizeBar(_: Home, small: Record<string, string>, large: Record<string, string>): Bar[] {
  const [one, hundred] = medianTimes([command(small, "status"), command(large, "status")], 21) as [
    number,
    number,
  ];
  return [
    {
      name: "`status` of 100 panes against 1 pane",
      ratio: hundred / one,
      bar: 1.3,
      detail: against(hundred, one),
    },
  ];
}

const forkRows = 1_000_000;

function forkBars({ env }: Home): Bar[] {
  const path = join(env.HIVEMIND_CONFIG_DIR!, "hivemind.forks.env");
  const pad = (at: number) => at.toString(16).padStart(8, "0");
  const row = (at: number) =>
    `2026-04-22T08:52:40Z|team${at % 40}:0.${at % 7}|role-${at % 40}|${pad(at % 5000)}-0000-4000-8000-000000000000|${at % 9 === 0 ? "live" : "stable"}|`;
  writeFileSync(path, `${Array.from({ length: forkRows }, (_, at) => row(at)).join("\n")}\n`);
  const wanted = `${pad(77)}-0000-4000-8000-000000000000`;
  const [query, awk] = medianTimes(
    [
      command(env, "forks", "list", "--uuid", wanted),
      { program: "awk", args: ["-F|", `$4 == "${wanted}"`, path] },
    ],
    5,
  ) as [number, number];
  return [
    {
      name: "`forks list --uuid` of 1 M rows against awk",
      ratio: query / awk,
      bar: 2,
      detail: against(query, awk),
    },
  ];
}

function quietly(act: () => unknown): void {
  try {
    act();
  } catch {
    // The server has ended already.
  }
}
