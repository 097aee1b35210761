// Runs programs as children of a small shell. A fork copies the page tables of its parent: 7 ms of processor time for a
// worker of the suite with 350 MB, and half a millisecond for a shell. The suite starts tens of thousands of programs.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellWord } from "../src/base/text/shell-word.js";

/** What it printed. Throws as `execFileSync` does. A program that hangs is a failure, not a suite that never ends. */
export function runSmall(argv: readonly string[], env: Readonly<Record<string, string>>): string {
  opened ??= open();
  const { folder, requests, answers } = opened;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  writeFileSync(
    join(folder, "line"),
    ["timeout", "60", "env", "-i", ...variables, ...argv].map(shellWord).join(" "),
  );
  writeSync(requests, "\n");
  const answer = Buffer.alloc(16);
  const status = Number(answer.toString("utf8", 0, readSync(answers, answer)));
  const [stdout, stderr] = ["out", "err"].map((name) => readFileSync(join(folder, name), "utf8")) as [
    string,
    string,
  ];
  if (status === 0) return stdout;
  throw Object.assign(new Error(`Command failed: ${argv.join(" ")}\n${stderr}`), { status, stdout, stderr });
}

let opened: { folder: string; requests: number; answers: number } | undefined;

/** The shell ends when its requests do: with this process. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), "hm-small-"));
  const [requests, answers] = [join(folder, "requests"), join(folder, "answers")];
  execFileSync("mkfifo", [requests, answers]);
  spawn("sh", ["-c", loop, folder], { stdio: "ignore" }).unref();
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return { folder, requests: openSync(requests, "w"), answers: openSync(answers, "r") };
}

const loop = `
exec < "$0/requests" 3> "$0/answers"
while read -r _; do
  . "$0/line" > "$0/out" 2> "$0/err" < /dev/null 3>&-
  echo $? >&3
done`;
