// Whether the client's live registry can be relied on here: do running clients keep it, and what did dead ones leave?

import { counted } from "../base/counted.js";
import { shellWord } from "../base/shell-word.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { type Check, type Found, info, ok, warning } from "./check.js";
import { type Fate, fateOfFile, type RegistryFile, registryFile, registryFiles } from "./client-registry.js";
import type { World } from "./world.js";

export const liveRegistry: Check = {
  id: "registry",
  title: "running clients tell what they do",
  async look(world) {
    const agents = (await world.panes()).panes.filter(({ process }) => process !== null);
    if (agents.length === 0) {
      return [info("no client runs in tmux, so what it tells could not be seen", "hivemind doctor --probe")];
    }
    const silent = agents.filter(({ live }) => live === null);
    const placed = agents.filter(tellsItsPane);
    const told = `${agents.length - silent.length} of ${counted(agents.length, "client")}`;
    const found = [
      ok(`${told} in tmux keep the live registry; ${placed.length} tell their pane in it (newer clients do)`),
    ];
    return [...(silent.length < agents.length ? found : []), ...silent.map(silence)];
  },
};

function tellsItsPane({ folder, process, live, id }: FleetPane): boolean {
  if (folder === null || process === null || live === null) return false;
  const place = registryFile(folder, process.pid)?.fields?.tmux;
  return typeof place === "string" && place.endsWith(`.${id}`);
}

function silence({ address, process }: FleetPane): Found {
  const message = `the client in ${address} (pid ${process!.pid}) has no registry file: its session is known by arguments and title alone`;
  return warning(message, "update the client, or have it report: hivemind hooks install");
}

export const staleRegistry: Check = {
  id: "registry files",
  title: "no dead client left a registry file",
  async look(world) {
    const found: Found[] = [];
    for (const folder of await world.folders()) found.push(...staleIn(folder, world));
    return found;
  },
};

function staleIn(folder: string, { processes, nowMs }: World): Found[] {
  const files = registryFiles(folder).map((file) => ({ file, fate: fateOfFile(folder, file, processes) }));
  // A file is rewritten in place: what cannot be read this very moment may be whole in the next.
  const isOdd = ({ file, fate }: { file: RegistryFile; fate: Fate }) =>
    fate === "unreadable" ? nowMs - file.modifiedAtMs > limits.liveAgeMs : fate !== "live";
  const odd = files.filter(isOdd);
  const of = (...fates: Fate[]) => odd.filter(({ fate }) => fates.includes(fate)).map(({ file }) => file);
  const told = (left: readonly RegistryFile[], what: string, fix: string | null) =>
    left.length === 0 ? [] : [info(`${folder}: ${counted(left.length, "registry file")} ${what}`, fix)];
  const remove = (left: readonly RegistryFile[]) => `rm ${left.map(({ path }) => shellWord(path)).join(" ")}`;
  const [gone, another, unreadable] = [of("gone"), of("another"), of("unreadable")];
  return [
    ...told(
      gone,
      `of processes that are gone (pid ${pids(gone)}); the client still lists them`,
      remove(gone),
    ),
    ...told(another, `whose pid is another process by now (pid ${pids(another)})`, remove(another)),
    ...told(unreadable, "that cannot be read", remove(unreadable)),
    ...told(of("elsewhere"), "of another machine or container; they are not looked at", null),
  ];
}

function pids(files: readonly RegistryFile[]): string {
  return files.map(({ pid }) => pid).join(", ");
}
