import { expect, test } from "vitest";
import { screenFailure } from "./error.js";

const several =
  "There are several suitable screens on:\n\t2.x\t(Detached)\n\t1.x\t(Detached)\nUse -S to specify a session.\n";

test.each([
  ["No screen session found.\n", "no-session", 1],
  ["There is a screen on:\n\t1.x\t(Dead ???)\nNo screen session found.\n", "no-session", 1],
  [several, "several", 1],
  ["Could not find pre-select window.", "failed", 3],
  ["Cannot make directory '/run/screen': Permission denied", "failed", 3],
  ["", "failed", 3],
])("%j is %s", (printed, reason, exitCode) => {
  expect(screenFailure(printed, "-Q number")).toMatchObject({ reason, exitCode });
});
