// Checks what is installed: node, tmux, the client.

import { onPath } from "../base/files/on-path.js";
import { installCommand } from "../base/system/install-command.js";
import { shellWord } from "../base/text/shell-word.js";
import type { Panes } from "../fleet/panes.js";
import { isTmuxError, TmuxError } from "../tmux/error.js";
import { type ServerChoice, typedTmux } from "../tmux/socket.js";
import { type Check, type Found, info, ok, problem, warning } from "./check.js";
import { isOlder, versionIn, versionLine } from "./program.js";

const oldestNode = { major: 20, minor: 19 };
const oldestTmux = { major: 3, minor: 2 };
/** The suite ran on these (`npm run test:matrix`). */
const testedTmux = ["3.3a", "3.5a", "3.8"];

export const node: Check = {
  id: "node",
  title: "node is new enough",
  look: () => nodeFindings(process.versions.node),
};

export const tmuxProgram: Check = {
  id: "tmux",
  title: "tmux is new enough",
  async look({ tmux }) {
    try {
      return tmuxFindings((await tmux.run(["-V"])).trim());
    } catch (error) {
      if (isTmuxError(error, "missing"))
        return [problem("there is no tmux in PATH: agents live in its panes", installCommand("tmux"))];
      if (!(error instanceof TmuxError)) throw error;
      return [
        problem(error.message, `the tmux in PATH does not print its version: ${installCommand("tmux")}`),
      ];
    }
  },
};

/** A running server keeps the version it was started with, whatever was installed since. */
export const tmuxServer: Check = {
  id: "tmux server",
  title: "the tmux server is new enough",
  async look(world) {
    try {
      return serverFindings(await world.panes(), world.tmux.server);
    } catch (error) {
      if (!(error instanceof TmuxError) || error.reason === "missing") throw error;
      return [problem(error.message, serverCure(error))];
    }
  },
};

export const client: Check = {
  id: "client",
  title: "the client is installed",
  async look({ env }) {
    const found = onPath("claude", env);
    const versions = await Promise.all(found.map((path) => versionLine(path, "--version", env)));
    return clientFindings(found.map((path, at) => ({ path, version: versions[at] ?? null })));
  },
};

export function nodeFindings(running: string): Found[] {
  if (!isOlder(versionIn(running)!, oldestNode)) return [ok(`node ${running}`)];
  return [problem(`node ${running} is too old: hivemind needs 20.19 or newer`, "install a newer node")];
}

export function tmuxFindings(said: string): Found[] {
  const version = versionIn(said);
  if (version !== null && isOlder(version, oldestTmux))
    return [problem(`${said} is too old: hivemind needs 3.2 or newer`, installCommand("tmux"))];
  if (testedTmux.includes(said.replace(/^tmux /, ""))) return [ok(`${said}: tested`)];
  return [info(`${said}: hivemind is not tested on it, but on ${inWords(testedTmux)}`, null)];
}

/** For a server that cannot be asked. */
export function serverCure({ reason, message }: TmuxError): string {
  if (reason === "timeout")
    return "it hangs: find its process (pgrep -a tmux), end it, and bring the teams back: hivemind restore";
  if (/permission denied|access not allowed/i.test(message))
    return "it belongs to another user: choose your own with HIVEMIND_TMUX_SOCKET";
  // 3.3a prints the second of a running server of 3.8.
  if (/protocol version|server exited unexpectedly/.test(message))
    return "if another version of tmux started it, put that one first in PATH, or end the server with it";
  return `use a tmux on which hivemind is tested: ${inWords(testedTmux)}`;
}

function inWords(versions: readonly string[]): string {
  return `${versions.slice(0, -1).join(", ")} and ${versions.at(-1)}`;
}

export function serverFindings(
  { server, panes }: Pick<Panes, "server" | "panes">,
  meant: ServerChoice,
): Found[] {
  if (server === null)
    return [info("no tmux server is running", typedTmux(meant, "new-session", "-d", "-s", "TEAM"))];
  const version = versionIn(server.version);
  if (version !== null && isOlder(version, oldestTmux)) {
    const fix = `save your work, then end it: ${typedTmux(meant, "kill-server")}`;
    return [problem(`the running tmux server is ${server.version}: hivemind needs 3.2 or newer`, fix)];
  }
  const agents = panes.filter(({ process }) => process !== null).length;
  const what = `panes: ${panes.length}, agents: ${agents}`;
  return [ok(`tmux server ${server.version} at ${server.socketPath}, ${what}`)];
}

interface FoundProgram {
  path: string;
  version: string | null;
}

export function clientFindings(found: readonly FoundProgram[]): Found[] {
  if (found.length === 0) {
    const fix = "npm install --global @anthropic-ai/claude-code";
    return [warning("there is no claude in PATH: agents of kind claude cannot be started", fix)];
  }
  const each = found.map(({ path, version }) =>
    version === null
      ? problem(`${path} does not print its version`, `try: ${shellWord(path)} --version`)
      : ok(`claude ${version} (${path})`),
  );
  if (found.length === 1) return each;
  const others = found.slice(1).map(({ path }) => path);
  return [
    ...each,
    info(`claude is installed more than once: ${found[0]!.path} is used, not ${others}`, "which -a claude"),
  ];
}

/** The program that a shell would run. */
export function clientProgram(env: NodeJS.ProcessEnv): string | null {
  return onPath("claude", env)[0] ?? null;
}
