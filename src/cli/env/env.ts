import { join } from "node:path";
import { claudeHome } from "../../agents/claude/home.js";
import { windowsOf } from "../../fleet/activity/context.js";
import { storePaths } from "../../stores/file/folder.js";
import { chooseServer } from "../../tmux/socket.js";
import { cacheFolder, cacheHome } from "../../transcripts/cache-folder.js";
import type { Command } from "../command.js";
import { shown } from "../output.js";

export const env: Command = {
  words: "env",
  about: "list the variables and paths that hivemind uses",
  examples: ["hivemind env", "hivemind env --json"],
  notes: "A variable in brackets is not set; the value beside it is the default.",
  hasJson: true,
  async run(cli, input) {
    const paths = storePaths(cli.env);
    const { flags, isNamed } = chooseServer(cli.env);
    const places: Record<string, string | null> = {
      ...paths,
      cache: cacheFolder(cli.env, () => paths.folder),
      claude: claudeHome(cli.env),
      tmuxSocket: flags[1] ?? null,
    };
    const variables = Object.fromEntries(variablesUsed.map((name) => [name, setValue(name, cli.env)]));
    if (input.flag("json")) cli.out.json({ variables, paths: places, isSocketNamed: isNamed });
    else {
      const wide = Math.max(...variablesUsed.map((name) => name.length)) + 2;
      for (const name of variablesUsed) {
        const value = variables[name] ?? null;
        const used = value ?? standardOf(name, places, cli.env);
        cli.out.print(`${(value === null ? `(${name})` : ` ${name}`).padEnd(wide)} ${shown(used)}`);
      }
    }
  },
};

/** Every variable that hivemind reads, and the path that it sets, if any. */
const meanings: Readonly<Record<string, string | null>> = {
  HIVEMIND_CONFIG_DIR: "folder",
  HIVEMIND_REGISTRY: "roles",
  HIVEMIND_SESSIONS: "sessions",
  HIVEMIND_TEAMS: "teams",
  HIVEMIND_SNAPSHOT_DIR: "snapshotFolder",
  HIVEMIND_FORKS: "forks",
  HIVEMIND_QUEUE_DIR: "queueFolder",
  HIVEMIND_ACTIVE_TEAM: "activeTeam",
  HIVEMIND_EVENTS: "events",
  TRON_MONITOR_ENV: "viewerWindows",
  OTMUX_SIZE_LOCKS: "sizeLocks",
  OTMUX_LAYOUT_DIR: "layoutFolder",
  HIVEMIND_TMUX_SOCKET: "tmuxSocket",
  HIVEMIND_SSH_CONFIG: null,
  CLAUDE_CONFIG_DIR: "claude",
  XDG_CACHE_HOME: null,
  HIVEMIND_ROLE: null,
  HIVEMIND_TEAM: null,
  CLAUDE_MAX_TOKENS_DEFAULT: null,
  CLAUDE_MAX_TOKENS_1M: null,
  NO_COLOR: null,
};
const variablesUsed = Object.keys(meanings);

/** Null if it is not set, or if its value is ignored. */
function setValue(name: string, env: NodeJS.ProcessEnv): string | null {
  return name === "XDG_CACHE_HOME" ? cacheHome(env) : env[name] || null;
}

/** The default, as a value the variable could be set to. */
function standardOf(
  name: string,
  places: Readonly<Record<string, string | null>>,
  { HOME }: NodeJS.ProcessEnv,
): string | null {
  const { ordinary, large } = windowsOf({});
  const place = meanings[name] ?? null;
  if (name === "HIVEMIND_TMUX_SOCKET") return places.tmuxSocket ?? "tmux's default";
  if (name === "XDG_CACHE_HOME") return HOME ? join(HOME, ".cache") : null;
  if (name === "CLAUDE_MAX_TOKENS_DEFAULT") return String(ordinary);
  if (name === "CLAUDE_MAX_TOKENS_1M") return String(large);
  return place === null ? null : (places[place] ?? null);
}
