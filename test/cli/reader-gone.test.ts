import { spawn, spawnSync } from "node:child_process";
import { lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { testHome, until } from "../home.js";

test("[RUN1] a watch whose reader went away ends whole, with exit code 0", async () => {
  const home = testHome();
  tmuxTeam(home, "web");
  const child = spawn(process.execPath, [mainProgram, "watch", "--every", "1"], {
    env: home.env,
    cwd: home.work,
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  await new Promise((resolve) => child.stdout.once("data", resolve));
  const lock = () => lstatSync(join(home.config, "hivemind.watch.lock"), { throwIfNoEntry: false });
  expect(lock()).toBeDefined();
  child.stdout.destroy();
  let count = 0;
  await until("it has ended", () => {
    // Each is one more line that nobody reads.
    if (child.exitCode === null) hivemind(home, ["registry", "set", "web:0.0", `role${++count}`]);
    return child.exitCode !== null;
  });
  expect({ code: child.exitCode, said, lock: lock() }).toEqual({ code: 0, said: "", lock: undefined });
});

test("[RUN1] a command without anything to leave whole ends at once when its reader went away", () => {
  const home = testHome();
  const ran = spawnSync("sh", ["-c", `"${process.execPath}" "${mainProgram}" --help | head -c 1`], {
    env: home.env,
  });
  expect(ran.status).toBe(0);
});

test("[RUN2] what could not be written is said, with exit code 1", () => {
  const home = testHome();
  const { status, stderr } = spawnSync(process.execPath, [mainProgram, "fingerprint", "/tmp"], {
    env: home.env,
    encoding: "utf8",
    stdio: ["ignore", openSync("/dev/full", "w"), "pipe"],
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: "hivemind: could not write the output (ENOSPC)\n",
  });
});
