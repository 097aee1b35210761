// Runs programs as children of a small shell. A fork copies the page tables of its parent: 7 ms of processor time for a
// worker of the suite with 350 MB, and half a millisecond for a shell. The suite starts tens of thousands of programs.

import { execFileSync, spawn } from "node:child_process";
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellWord } from "../src/base/text/shell-word.js";

/** What it printed. Throws as `execFileSync` does. A program that hangs is a failure, not a suite that never ends. */
export function runSmall(argv: readonly string[], env: Readonly<Record<string, string>>): string {
  opened ??= open();
  const { folder, requests } = opened;
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  writeFileSync(join(folder, "line"), [...variables, ...argv.map(shellWord)].join(" "));
  writeSync(requests, "\n");
  const status = Number(answerOf(opened, argv));
  const [stdout, stderr] = ["out", "err"].map((name) => readFileSync(join(folder, name), "utf8")) as [
    string,
    string,
  ];
  if (status === 0) return stdout;
  throw Object.assign(new Error(`Command failed: ${argv.join(" ")}\n${stderr}`), { status, stdout, stderr });
}

interface Small {
  folder: string;
  requests: number;
  answers: number;
  end(): void;
}

let opened: Small | undefined;

const longestMs = 60_000;

function answerOf({ answers, end }: Small, argv: readonly string[]): string {
  const line = Buffer.alloc(16);
  for (const until = Date.now() + longestMs; ; ) {
    try {
      const length = readSync(answers, line);
      // Zero: the shell has not opened its end yet.
      if (length > 0) return line.toString("utf8", 0, length);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    }
    if (Date.now() > until) {
      end();
      throw new Error(`no end after ${longestMs} ms: ${argv.join(" ")}`);
    }
    Atomics.wait(clock, 0, 0, 1);
  }
}

/** Nobody wakes who waits for it. */
const clock = new Int32Array(new SharedArrayBuffer(4));

/**
 * The shell ends when its requests do: with this process, however that ends. Then it removes the folder. Its environment
 * is empty, and so is that of a program.
 */
function open(): Small {
  const folder = mkdtempSync(join(tmpdir(), "hm-small-"));
  const [requests, answers] = [join(folder, "requests"), join(folder, "answers")];
  execFileSync("mkfifo", [requests, answers]);
  const shell = spawn("sh", ["-c", loop, folder], { stdio: "ignore", env: { PATH: process.env.PATH } });
  shell.unref();
  const own = {
    folder,
    requests: openSync(requests, "w"),
    answers: openSync(answers, constants.O_RDONLY | constants.O_NONBLOCK),
  };
  return {
    ...own,
    end() {
      opened = undefined;
      shell.kill("SIGKILL");
      closeSync(own.requests);
      closeSync(own.answers);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// A shell exports its folder, which tmux would believe.
const loop = `
own_path=$PATH
unset PWD OLDPWD PATH
exec < "$0/requests" 3<> "$0/answers"
while read -r _; do
  . "$0/line" > "$0/out" 2> "$0/err" < /dev/null 3>&-
  echo $? >&3
done
PATH=$own_path rm -rf "$0"`;
