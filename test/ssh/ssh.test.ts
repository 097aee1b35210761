// An ssh that leaves something behind which holds its stderr, as a shared connection of it does.

import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Host } from "../../src/names/gates.js";
import { runFar } from "../../src/ssh/ssh.js";
import { mainProgram } from "../command.js";
import { testHome, until } from "../home.js";

/** `ssh` of this home is that script; it has written down whom it left behind. */
function homeWithSsh(...lines: string[]) {
  const home = testHome();
  const bin = join(home.root, "bin");
  const left = join(home.root, "left");
  mkdirSync(bin);
  writeFileSync(join(bin, "ssh"), `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(join(bin, "ssh"), 0o755);
  onTestFinished(() => {
    if (existsSync(left)) process.kill(Number(readFileSync(left, "utf8")), "SIGKILL");
  });
  return { ...home, env: { ...home.env, PATH: `${bin}:${home.env.PATH}`, LEFT: left }, left };
}

const leaves = (what: string) => [`${what} &`, 'echo $! > "$LEFT.new"', 'mv "$LEFT.new" "$LEFT"'];

test("the reason for its end is reported, even if another process still holds its stderr", async () => {
  const { env } = homeWithSsh(
    "echo 'ssh: connect to host beta port 22: Connection refused' >&2",
    ...leaves("sleep 300 >/dev/null"),
    "exit 255",
  );
  const program = runFar("beta" as Host, ["hivemind"], env);
  expect(await program.failure(false)).toMatchObject({ reason: "refused" });
  program.close();
});

test("a command ends with its connection, even if another process still holds stdout and stderr", async () => {
  const home = homeWithSsh(
    `echo 'hivemind moving {"protocol":1,"version":"x"}'`,
    ...leaves("sleep 300"),
    "exec sleep 300",
  );
  const ran = spawn(process.execPath, [mainProgram, "team", "pull", "beta"], {
    env: home.env,
    cwd: home.work,
  });
  onTestFinished(() => void ran.kill("SIGKILL"));
  let said = "";
  ran.stderr.on("data", (text) => (said += text));
  const ended = new Promise((resolve) => ran.on("close", resolve));
  await until("the far side has greeted", () => existsSync(home.left));
  ran.kill("SIGINT");
  expect(await ended).toBe(1);
  expect(said).toContain("hivemind: interrupted");
});
