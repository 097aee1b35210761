// The list of checks in a natural order: what is installed, what works, what is odd. Also has the small checks.

import { processSource } from "../base/system/processes.js";
import { shellWord } from "../base/text/shell-word.js";
import { findLeftHomes } from "../demo/home.js";
import { isTeamName } from "../names/gates.js";
import { typedTmux } from "../tmux/socket.js";
import { type Check, info, ok, problem, warning } from "./check.js";
import { cleanup } from "./cleanup.js";
import { geminiCleaning } from "./gemini-cleaning.js";
import { hooks } from "./hooks.js";
import { locks } from "./locks.js";
import { ownNames } from "./own-names.js";
import { client, node, tmuxProgram, tmuxServer } from "./programs.js";
import { liveRegistry, staleRegistry } from "./registry.js";
import { twoFolders, twoPanes } from "./sessions.js";
import { privacy, storeFolder, whyUnwritable } from "./store-files.js";
import { storeRows } from "./store-rows.js";
import { viewerProgram } from "./viewer-program.js";
import { watcher } from "./watcher.js";

/** The team that commands use if none is given. */
const activeTeam: Check = {
  id: "active team",
  title: "the active team runs, or none is chosen",
  async look(world) {
    const active = world.stores().activeTeam.read();
    if (active === null) return [];
    const { panes, roster } = await world.panes();
    const name = roster.renamed.find(({ from }) => from === active)?.to ?? active;
    const running = [...new Set(panes.map(({ sessionName }) => sessionName))];
    if (running.includes(name)) return [];
    const other = running.find(isTeamName);
    const fix =
      other === undefined
        ? typedTmux(world.tmux.server, "new-session", "-d", "-s", name)
        : `hivemind team switch ${other}`;
    return [warning(`the active team ${name} is not running: commands without a team ignore it`, fix)];
  },
};

const processTable: Check = {
  id: "processes",
  title: "processes are visible",
  look({ processes, env }) {
    if (processes.findProcess(process.pid) === null) {
      return [problem(`${processSource} does not show our own process`, `try: ps -p ${process.pid}`)];
    }
    const found = [ok(`processes are read from ${processSource}`)];
    // The only check of an environment that proves something: a variable of ours that is certainly set.
    const isReadable = env.PATH === undefined || processes.readProcessVariable(process.pid, "PATH") !== null;
    return isReadable
      ? [...found, ok("the environment of a process is readable: each agent's own config folder is known")]
      : [...found, warning("the environment of a process is unreadable", noEnvironment)];
  },
};

const noEnvironment =
  "agents with their own CLAUDE_CONFIG_DIR are known by title only: use one config folder";

const indexCache: Check = {
  id: "index cache",
  title: "the transcript index can be stored",
  look(world) {
    const folder = world.cacheFolder();
    const why = whyUnwritable(folder);
    if (why === null) return [];
    return [warning(`every command reads all transcripts again: ${why}`, `ls -ld ${shellWord(folder)}`)];
  },
};

/** Temporary homes of killed demos and probes. */
const leftHomes: Check = {
  id: "left homes",
  title: "no demo or probe left its home behind",
  look({ temporaryFolder }) {
    const kinds = [
      { purpose: "demo", fix: "hivemind demo --once" },
      { purpose: "probe", fix: "hivemind doctor --probe" },
    ] as const;
    return kinds.flatMap(({ purpose, fix }) =>
      findLeftHomes(purpose, temporaryFolder).map((root) =>
        info(`a killed ${purpose} left ${root}`, `the next one removes it: ${fix}`),
      ),
    );
  },
};

export const checks: readonly Check[] = [
  node,
  tmuxProgram,
  tmuxServer,
  ownNames,
  client,
  processTable,
  liveRegistry,
  hooks,
  storeFolder,
  privacy,
  storeRows,
  locks,
  activeTeam,
  viewerProgram,
  twoPanes,
  twoFolders,
  watcher,
  cleanup,
  geminiCleaning,
  staleRegistry,
  leftHomes,
  indexCache,
];
