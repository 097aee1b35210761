// How processes can be seen here.

import { type Check, ok, problem, warning } from "./check.js";

export const processTable: Check = {
  id: "processes",
  title: "processes can be seen",
  look({ processes, env }) {
    const source = process.platform === "linux" ? "/proc" : "ps";
    if (processes.findProcess(process.pid) === null) {
      return [problem(`${source} does not show our own process`, `see what this says: ps -p ${process.pid}`)];
    }
    const found = [ok(`processes are read from ${source}`)];
    // The only look into an environment that tells something: a variable of ours that is set for certain.
    const isReadable = env.PATH === undefined || processes.readProcessVariable(process.pid, "PATH") !== null;
    return isReadable
      ? [...found, ok("the environment of a process can be read: each agent's own config folder is known")]
      : [...found, warning("the environment of a process cannot be read", noEnvironment)];
  },
};

const noEnvironment =
  "agents with a CLAUDE_CONFIG_DIR of their own are known by title only: use one config folder";
