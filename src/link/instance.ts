// Which instance of a host this is: one config folder on one machine.

import { hostname } from "node:os";
import { realPath } from "../base/files/real-path.js";
import { machineId } from "../base/system/machine-id.js";
import { instanceOf } from "./lease.js";

/** Not every machine has an id, and containers may share one: the name counts too. */
export function ownInstance(configFolder: string): string {
  return instanceOf(`${machineId()} ${hostname()}`, realPath(configFolder) ?? configFolder);
}
