// A clock that nobody can set, common to all processes of one boot. It goes on while the machine sleeps, which
// `process.hrtime` does not on Linux.

import { uptime } from "node:os";
import { ownIdentity } from "./process-identity.js";

export interface BootClock {
  boot: string;
  nowMs(): number;
}

export const bootClock: BootClock = {
  get boot() {
    return ownIdentity().boot;
  },
  nowMs: () => Math.round(uptime() * 1000),
};
