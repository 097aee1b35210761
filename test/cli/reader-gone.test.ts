import { spawn, spawnSync } from "node:child_process";
import { lstatSync, openSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Cli, outputLost } from "../../src/cli/command.js";
import { openOutput } from "../../src/cli/output.js";
import { runProgram } from "../../src/cli/program.js";
import { openHive } from "../../src/hive/hive.js";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { testHome, until } from "../home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../transcripts/files.js";

test("watch ends cleanly with exit code 0 when its reader goes away", async () => {
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
  const lock = () => lstatSync(join(home.config, "hivemind.watching.lock"), { throwIfNoEntry: false });
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

test("a command with nothing to finish ends at once when its reader goes away", () => {
  const home = testHome();
  const ran = spawnSync("sh", ["-c", `"${process.execPath}" "${mainProgram}" --help | head -c 1`], {
    env: home.env,
  });
  expect(ran.status).toBe(0);
});

test.each([
  [outputLost, undefined, ""],
  ["SIGINT", 1, "hivemind: interrupted after 1 of 2 sessions\n"],
])("a search with matches that ends by %j has exit code %j", async (reason, code, said) => {
  const home = testHome();
  for (const number of [1, 2]) writeTranscript(transcriptPath(home.claude, idOf(number)), user(`m${number}`));
  const ending = new AbortController();
  let noted = "";
  const stdout = { write: () => ending.abort(reason) };
  const stderr = { write: (text: string) => (noted += text) };
  const cli: Cli = {
    env: home.env,
    out: openOutput(home.env, stdout, stderr),
    self: "hivemind",
    program: ["node", "hivemind"],
    hive: async () => openHive({ env: home.env }),
    untilInterrupted: () => ending.signal,
  };
  const ended = await runProgram(cli, ["sessions", "search", "--all", "hello"]);
  expect({ code: ended || undefined, said: noted }).toEqual({ code, said });
});

test("output that cannot be written is an error with exit code 1", () => {
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
