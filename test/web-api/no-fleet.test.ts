// A host in no fleet answers what the page asks without loading anything of NATS.

import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, mainProgram } from "../command.js";
import { testHome } from "../home.js";
import { apiOf } from "./asked.js";

test("of the fleet a host in none says so, and loads no NATS", async () => {
  const home = testHome();
  const alone = {
    version: 1,
    host: null,
    readOnly: false,
    lease: null,
    serverVersion: null,
    hosts: [],
    agents: [],
  };
  expect(await apiOf(home).get("/fleet")).toEqual({ status: 200, value: alone });

  const [hook, loaded] = [join(home.root, "loaded.cjs"), join(home.root, "loaded")];
  writeFileSync(
    hook,
    `process.on("exit", () =>
       require("node:fs").writeFileSync(${JSON.stringify(loaded)}, Object.keys(require.cache).join("\\n")));`,
  );
  const ask = (env: Record<string, string>) =>
    spawnSync(process.execPath, ["--require", hook, mainProgram, "fleet", "status", "--json"], {
      ...{ env: { ...home.env, ...env }, cwd: home.work, encoding: "utf8" },
    });
  const { status, stdout } = ask({});
  expect({ status, value: JSON.parse(stdout) }).toEqual({ status: 0, value: alone });
  expect(readFileSync(loaded, "utf8")).not.toMatch(/nats-\w+\.cjs/);
  // Port 1 refuses.
  expect(ask({ HIVEMIND_FLEET: "nats://127.0.0.1:1", HIVEMIND_HOST: "alpha" }).status).not.toBe(0);
  expect(readFileSync(loaded, "utf8")).toMatch(/nats-\w+\.cjs/);
});

test("a person reads how to join one", () => {
  const { code, stdout } = hivemind(testHome(), ["fleet", "status"]);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: "This host is in no fleet. To join one: hivemind fleet join FILE\n",
  });
});
