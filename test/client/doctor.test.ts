// The doctor's probe, with the real client of every pinned version as the installed one.

import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Finding } from "../../src/doctor/check.js";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { testHome } from "../home.js";
import { clientVersions, installClient } from "./install.js";

it.each(clientVersions)("the real client %s does all that hivemind expects of it", async (version) => {
  const home = testHome();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(await installClient(version), join(bin, "claude"));
  const env = { PATH: `${bin}:${home.env.PATH}` };
  const { code, stdout, stderr } = hivemind(home, ["doctor", "--probe", "--json"], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

  const findings: Finding[] = JSON.parse(stdout).findings;
  const odd = findings.filter(({ check, level }) => check === "probe" && level !== "ok");
  // Only the newer one tells its pane and has an inbox.
  expect(odd.map(({ level, message }) => [level, message])).toEqual(
    version === "2.1.197"
      ? [
          ["info", expect.stringContaining("does not have its tmux pane")],
          ["info", expect.stringContaining("has no inbox")],
        ]
      : [],
  );
  const doors = version === "2.1.197" ? ["that is typed"] : ["through its inbox", "that is typed"];
  for (const way of doors)
    expect(findings).toContainEqual(
      expect.objectContaining({ level: "ok", message: expect.stringContaining(`takes a message ${way}`) }),
    );
  expect(findings).toContainEqual(
    expect.objectContaining({ check: "client", level: "ok", message: expect.stringContaining(version) }),
  );
  expect(readdirSync(home.env.TMPDIR!)).toEqual([]);
  for (const folder of [home.home, home.claude]) expect(contentsOf(folder)).toEqual({});
});
