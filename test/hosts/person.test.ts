import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { testHosts } from "./hosts.js";

test("a person may decide over ssh, with no terminal there", async () => {
  const { alpha } = await testHosts();
  const typed = ["-F", alpha.sshConfig, "beta", "hivemind", "hooks", "install"];
  const { status, stdout } = spawnSync("ssh", typed, { env: alpha.env, encoding: "utf8" });
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringMatching(/^installed hooks/) });
});
