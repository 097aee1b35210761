// The systemd manager of a user.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../../errors.js";
import { removeEmptyFolder, removeFile } from "../../files/atomic-file.js";
import { runManager } from "./run.js";
import { unitText } from "./systemd-text.js";
import type { UnitManager, UnitState } from "./unit.js";

export function systemd(env: NodeJS.ProcessEnv): UnitManager {
  const ask = (...words: string[]) => runManager(env, "systemctl", ["--user", ...words]);
  const unitOf = (name: string) => `${name}.service`;
  const pathOf = (name: string) => join(unitFolder(env), unitOf(name));
  async function done(...words: string[]): Promise<void> {
    const { isWell, why } = await ask(...words);
    if (!isWell) throw new HiveError(`systemctl --user ${words.join(" ")}: ${why}`);
  }
  return {
    title: "systemd user unit",
    pathOf,
    textOf: unitText,
    async missing() {
      const { isWell, why } = await ask("show", "--property=Version");
      return isWell ? null : { why, cure: cureIn(env) };
    },
    async look(name) {
      const { isWell, stdout, why } = await ask("show", unitOf(name), `--property=${properties.join(",")}`);
      return isWell ? stateIn(stdout) : { state: "unreachable", pid: null, isEnabled: null, why };
    },
    async start(name, isNew) {
      await done("enable", "--now", unitOf(name));
      // What runs already goes on with the old file.
      if (!isNew) await done("restart", unitOf(name));
    },
    async stop(name) {
      await done("disable", "--now", unitOf(name));
    },
    async reread(name) {
      await done("daemon-reload");
      // A unit that failed and is gone stays in systemd's list until somebody resets it.
      if (!existsSync(pathOf(name))) await ask("reset-failed", unitOf(name));
    },
    removeTraces(name) {
      const wants = join(unitFolder(env), "default.target.wants");
      removeFile(join(wants, unitOf(name)));
      removeEmptyFolder(wants);
    },
    commands: (name) => ({
      start: `systemctl --user restart ${unitOf(name)}`,
      log: `journalctl --user -u ${unitOf(name)} -e`,
    }),
    afterwards: ["It starts when you log in. To start it at boot, without a login: loginctl enable-linger"],
  };
}

/** A shell of `su` or `sudo` does not know where its user's manager listens. */
function cureIn({ XDG_RUNTIME_DIR }: NodeJS.ProcessEnv): string | null {
  const folder = `/run/user/${process.getuid?.()}`;
  if (XDG_RUNTIME_DIR || !existsSync(join(folder, "systemd"))) return null;
  return `tell systemctl where it is, then try again: export XDG_RUNTIME_DIR=${folder}`;
}

const properties = ["LoadState", "ActiveState", "SubState", "MainPID", "UnitFileState", "Result"] as const;

/** Reads the answer of `systemctl show`. */
export function stateIn(shown: string): UnitState {
  const values = new Map(
    shown.split("\n").map((line) => {
      const cut = line.indexOf("=");
      return [line.slice(0, Math.max(cut, 0)), line.slice(cut + 1)] as const;
    }),
  );
  const value = (name: (typeof properties)[number]) => values.get(name) ?? "";
  const pid = Number(value("MainPID"));
  const words = [value("ActiveState"), value("SubState"), value("Result")].filter((word) => word !== "");
  return {
    state: stateOf(value("ActiveState"), value("SubState")),
    pid: Number.isSafeInteger(pid) && pid > 0 ? pid : null,
    isEnabled: value("UnitFileState") === "" ? null : value("UnitFileState").startsWith("enabled"),
    why:
      value("LoadState") === "loaded" ? words.join(", ") : `systemd says: ${value("LoadState") || "nothing"}`,
  };
}

function stateOf(active: string, sub: string): UnitState["state"] {
  if (active === "active" || active === "reloading") return "running";
  if (active === "activating") return sub === "auto-restart" ? "restarting" : "running";
  return active === "failed" ? "failed" : "stopped";
}

function unitFolder({ XDG_CONFIG_HOME: xdg, HOME: home }: NodeJS.ProcessEnv): string {
  if (xdg?.startsWith("/")) return join(xdg, "systemd", "user");
  if (home) return join(home, ".config", "systemd", "user");
  throw new HiveError("HOME is not set, so the folder of systemd's units is unknown", { hint: "set HOME" });
}
