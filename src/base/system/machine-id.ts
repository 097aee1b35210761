// The number of this machine, which stays over its restarts.

import { readFileSync } from "node:fs";

/** Empty if the system does not say. Containers may have none, or all the same one. */
export function machineId(): string {
  try {
    return readFileSync("/etc/machine-id", "utf8").trim();
  } catch {
    return "";
  }
}
