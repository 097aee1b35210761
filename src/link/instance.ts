// Which instance of a host this is: one config folder on one machine.

import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { realPath } from "../base/files/real-path.js";
import { instanceOf } from "./lease.js";

export function ownInstance(configFolder: string): string {
  return instanceOf(`${machineId()} ${hostname()}`, realPath(configFolder) ?? configFolder);
}

/** Containers may have none, or all the same one: the machine's name counts too. */
function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}
