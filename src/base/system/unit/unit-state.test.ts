// What the managers say about a unit. launchctl's words are from its manual page: not recorded on a Mac yet.

import { expect, test } from "vitest";
import { stateIn as launchdState } from "./launchd.js";
import { stateIn as systemdState } from "./systemd.js";

test.each([
  ["active", "running", 41, "running", 41],
  ["activating", "auto-restart", 0, "restarting", null],
  ["activating", "start", 41, "running", 41],
  ["failed", "failed", 0, "failed", null],
  ["inactive", "dead", 0, "stopped", null],
  ["deactivating", "stop-sigterm", 41, "stopped", 41],
])("systemd: %s (%s), process %i: %s", (active, sub, main, state, pid) => {
  const shown = `LoadState=loaded\nActiveState=${active}\nSubState=${sub}\nMainPID=${main}\nUnitFileState=enabled\nResult=success\n`;
  expect(systemdState(shown)).toEqual({ state, pid, isEnabled: true, why: `${active}, ${sub}, success` });
});

test("systemd does not know the unit, or says nothing", () => {
  expect(systemdState("LoadState=not-found\nActiveState=inactive\nUnitFileState=\n")).toMatchObject({
    state: "stopped",
    isEnabled: null,
    why: "systemd says: not-found",
  });
  expect(systemdState("")).toMatchObject({ state: "stopped", pid: null, why: "systemd says: nothing" });
});

test.each([
  [
    "running, with its process",
    "\tstate = running\n\tpid = 412\n\tlast exit code = (never exited)\n",
    "running",
    412,
  ],
  ["ended well", "\tstate = not running\n\tlast exit code = 0\n", "stopped", null],
  ["failed", "\tstate = spawn scheduled\n\tlast exit code = 1\n", "failed", null],
])("launchd: %s", (_, printed, state, pid) => {
  expect(launchdState(`gui/501/hivemind-watch = {\n${printed}}\n`)).toMatchObject({ state, pid });
});
