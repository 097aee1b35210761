// Commands that are typed in a folder that somebody removed.

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mainProgram } from "../command.js";
import { type TestHome, testHome } from "../home.js";

function runInRemoved(home: TestHome, args: readonly string[]) {
  const script = 'mkdir "$0" && cd "$0" && rmdir "$0" && exec "$@"';
  const words = ["-c", script, join(home.work, "removed"), process.execPath, mainProgram, ...args];
  const { status: code, stdout, stderr } = spawnSync("/bin/sh", words, { env: home.env, encoding: "utf8" });
  return { code, stdout, stderr };
}

test("a command that needs the folder fails, with the ways out that it has", () => {
  const home = testHome();
  const check = (typed: string, otherwise = "") =>
    expect({ typed, ...runInRemoved(home, typed.split(" ")) }).toEqual({
      typed,
      code: 3,
      stdout: "",
      stderr: `hivemind: the current folder no longer exists\n  change to another folder: cd ~${otherwise}\n`,
    });
  check("fingerprint", "; or name a folder: hivemind fingerprint ~");
  check("hooks install --project");
  check("hooks remove --project");
  check("hooks status --project");
  check("plan");
  check("init --yes");
  check("sessions rebind");
  check("teams restore ./relative");
  check("sessions latest", "; or look in every folder: --all");
  check("lineage", "; or look in every folder: --all");
  check("agent spawn po", "; or name a folder: --cwd FOLDER");
  check("team setup web po", "; or name a folder: --cwd FOLDER");
});

test("a command that needs no folder works", () => {
  const home = testHome();
  expect(runInRemoved(home, ["hooks", "status", "--json"])).toMatchObject({ code: 0, stderr: "" });
  expect(runInRemoved(home, ["sessions", "--all"])).toMatchObject({ code: 0, stderr: "" });
  expect(runInRemoved(home, ["sessions", "--help"])).toMatchObject({ code: 0, stderr: "" });
});
