import { expect, test } from "vitest";
import { hivemind } from "../command.js";
import { testHome } from "../home.js";

test("top --fleet on a host without a fleet is refused in a sentence that says how to join one", () => {
  const { code, stdout, stderr } = hivemind(testHome(), ["top", "--fleet"]);
  expect(code).toBe(1);
  expect(stdout).toBe("");
  expect(stderr).toMatch(/this host is in no fleet\n.*hivemind fleet join/);
});
