// The launchd agents of a user. Written from launchctl(1) and launchd.plist(5); not recorded on a Mac yet.

import { join } from "node:path";
import { HiveError } from "../../errors.js";
import { plistText } from "./launchd-text.js";
import { runManager } from "./run.js";
import type { UnitManager, UnitState } from "./unit.js";

export function launchd(env: NodeJS.ProcessEnv, uid = process.getuid?.() ?? 0): UnitManager {
  const ask = (...words: string[]) => runManager(env, "launchctl", words);
  const domain = `gui/${uid}`;
  const target = (name: string) => `${domain}/${name}`;
  const pathOf = (name: string) => join(agentFolder(env), `${name}.plist`);
  async function done(...words: string[]): Promise<void> {
    const { isWell, why } = await ask(...words);
    if (!isWell) throw new HiveError(`launchctl ${words.join(" ")}: ${why}`);
  }
  async function missing() {
    const { isWell, why } = await ask("print", domain);
    return isWell ? null : { why, cure: null };
  }
  const isKnown = async (name: string) => (await ask("print", target(name))).isWell;
  return {
    title: "launchd agent",
    pathOf,
    textOf: plistText,
    missing,
    async look(name) {
      if ((await missing()) !== null)
        return { state: "unreachable", pid: null, isEnabled: null, why: "launchd does not answer" };
      const { isWell, stdout } = await ask("print", target(name));
      return isWell ? stateIn(stdout) : { state: "stopped", pid: null, isEnabled: false, why: "not loaded" };
    },
    async start(name) {
      // launchd reads the file only when it loads the agent.
      if (await isKnown(name)) await done("bootout", target(name));
      await done("bootstrap", domain, pathOf(name));
    },
    async stop(name) {
      if (await isKnown(name)) await done("bootout", target(name));
    },
    async reread() {},
    removeTraces() {},
    commands: (name) => ({
      start: `launchctl kickstart -k ${target(name)}`,
      log: null,
    }),
    afterwards: ["It starts when you log in at the Mac's own screen."],
  };
}

/** Reads the answer of `launchctl print`. */
export function stateIn(printed: string): UnitState {
  const value = (name: string) => new RegExp(`^\\s*${name} = (.*)$`, "m").exec(printed)?.[1]?.trim() ?? "";
  const pid = Number(value("pid"));
  const code = value("last exit code");
  const isWell = code === "" || code === "0" || code === "(never exited)";
  const isRunning = value("state") === "running";
  return {
    state: isRunning ? "running" : isWell ? "stopped" : "failed",
    pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
    isEnabled: true,
    why: [value("state"), isWell ? "" : `last exit code ${code}`].filter((word) => word !== "").join(", "),
  };
}

function agentFolder({ HOME: home }: NodeJS.ProcessEnv): string {
  if (home) return join(home, "Library", "LaunchAgents");
  throw new HiveError("HOME is not set, so the folder of launchd's agents is unknown", { hint: "set HOME" });
}
