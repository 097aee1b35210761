// Checks the client's live registry: whether running clients keep it, and what dead ones left behind.

import { statSync } from "node:fs";
import { join } from "node:path";
import { liveSession } from "../agents/claude/registry.js";
import { type Json, parseRecord } from "../agents/record.js";
import { errorCode } from "../base/errors.js";
import { FileRefused, readBytes } from "../base/files/atomic-file.js";
import { namesIn } from "../base/files/names-in.js";
import { machineId } from "../base/system/machine-id.js";
import { isFirstNamespace, pidNamespace } from "../base/system/pid-namespace.js";
import type { ProcessReader } from "../base/system/process.js";
import { ownIdentity } from "../base/system/process-identity.js";
import { counted } from "../base/text/counted.js";
import { shellWord } from "../base/text/shell-word.js";
import { foldersOfClaude } from "../fleet/folders.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { type Check, type Found, info, ok, warning } from "./check.js";
import type { World } from "./world.js";

export const liveRegistry: Check = {
  id: "registry",
  title: "running clients report their state",
  async look(world) {
    const agents = (await world.panes()).panes.filter(({ process }) => process !== null);
    if (agents.length === 0) {
      return [
        info("no client runs in tmux, so its registry could not be checked", "hivemind doctor --probe"),
      ];
    }
    const silent = agents.filter(({ live }) => live === null);
    const placed = agents.filter(tellsItsPane);
    const told = `${agents.length - silent.length} of ${counted(agents.length, "client")}`;
    const found = [
      ok(
        `${told} in tmux keep the live registry; ${placed.length} report their pane in it (newer clients do)`,
      ),
    ];
    return [...(silent.length < agents.length ? found : []), ...silent.map(silence)];
  },
};

function tellsItsPane({ folder, process, live, id }: FleetPane): boolean {
  if (folder === null || process === null || live === null) return false;
  const place = registryFile(folder, process.pid)?.fields?.tmux;
  return typeof place === "string" && place.endsWith(`.${id}`);
}

function silence({ address, process, claimed }: FleetPane): Found {
  if (claimed !== undefined) {
    const shared = `the client in ${address} (pid ${process!.pid}) runs in a pid namespace, and nothing confirms its registry file: its session is unknown`;
    return warning(shared, "hivemind hooks install");
  }
  const message = `the client in ${address} (pid ${process!.pid}) has no registry file: its session is known only from arguments and title`;
  return warning(message, "update the client, or let it report: hivemind hooks install");
}

export const staleRegistry: Check = {
  id: "registry files",
  title: "no dead client left a registry file",
  async look(world) {
    const found: Found[] = [];
    for (const folder of foldersOfClaude(await world.folders())) found.push(...staleIn(folder, world));
    return found;
  },
};

function staleIn(folder: string, { processes, nowMs }: World): Found[] {
  const files = registryFiles(folder).map((file) => ({ file, fate: fateOfFile(folder, file, processes) }));
  // A file is rewritten in place: one that is unreadable right now may be complete a moment later.
  const isOdd = ({ file, fate }: { file: RegistryFile; fate: Fate }) =>
    fate === "unreadable" ? nowMs - file.modifiedAtMs > limits.liveAgeMs : fate !== "live";
  const odd = files.filter(isOdd);
  const of = (...fates: Fate[]) => odd.filter(({ fate }) => fates.includes(fate)).map(({ file }) => file);
  const reported = (left: readonly RegistryFile[], what: string, fix: string | null) =>
    left.length === 0 ? [] : [info(`${folder}: ${counted(left.length, "registry file")} ${what}`, fix)];
  const remove = (left: readonly RegistryFile[]) => `rm ${left.map(({ path }) => shellWord(path)).join(" ")}`;
  const [gone, another, unreadable] = [of("gone"), of("another"), of("unreadable")];
  return [
    ...reported(
      gone,
      `of processes that are gone (pid ${pids(gone)}); the client still lists them`,
      remove(gone),
    ),
    ...reported(another, `whose pid belongs to another process now (pid ${pids(another)})`, remove(another)),
    ...reported(unreadable, "that are unreadable", remove(unreadable)),
    ...reported(of("elsewhere"), "of another machine or container; they are ignored", null),
  ];
}

function pids(files: readonly RegistryFile[]): string {
  return files.map(({ pid }) => pid).join(", ");
}

/** A registry file as it is, trusted or not. */
interface RegistryFile {
  path: string;
  pid: number;
  modifiedAtMs: number;
  /** Null if it is not a JSON object. */
  fields: Readonly<Json> | null;
}

/** Opens only `<pid>.json`: the other files there are secrets. */
function registryFiles(folder: string): RegistryFile[] {
  const sessions = join(folder, "sessions");
  return namesIn(sessions).flatMap((name) => {
    const pid = /^([1-9]\d*)\.json$/.exec(name)?.[1];
    return pid === undefined ? [] : (registryFile(folder, Number(pid)) ?? []);
  });
}

/** Null if there is none. */
export function registryFile(folder: string, pid: number): RegistryFile | null {
  const path = join(folder, "sessions", `${pid}.json`);
  try {
    const { mtimeMs } = statSync(path);
    return { path, pid, modifiedAtMs: mtimeMs, fields: parseRecord(contentOf(path)) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Empty for anything but a small plain file: reading a pipe would wait for its writer. */
function contentOf(path: string): string {
  try {
    return readBytes(path, limits.registryBytes)?.toString("utf8") ?? "";
  } catch (error) {
    if (error instanceof FileRefused) return "";
    throw error;
  }
}

/**
 * `gone`: no such process. `another`: the pid belongs to another process. `elsewhere`: of another boot or container.
 */
type Fate = "live" | "gone" | "another" | "elsewhere" | "unreadable";

function fateOfFile(folder: string, { pid, fields }: RegistryFile, processes: ProcessReader): Fate {
  if (fields === null) return "unreadable";
  if (isElsewhere(fields.pidDomain)) return "elsewhere";
  const process = processes.findProcess(pid);
  // A file without a namespace can be that of a client outside our container.
  if (process === null) return isFirstNamespace(pidNamespace()) || fields.pidDomain ? "gone" : "elsewhere";
  return liveSession(folder, process) === null ? "another" : "live";
}

/** The client writes the machine or its boot, and the pid namespace: `linux:<machine-id>:pid:[4026531836]`. */
function isElsewhere(domain: unknown): boolean {
  if (typeof domain !== "string") return false;
  const { boot, namespace } = ownIdentity();
  const named = /pid:\[\d+\]/.exec(domain)?.[0];
  if (named !== undefined && namespace !== "" && named !== namespace) return true;
  const machine = /[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(domain)?.[0];
  const own = [boot, machineId()];
  return machine !== undefined && !own.includes("") && !own.includes(machine);
}
