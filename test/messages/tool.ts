// An agent whose tool runs commands.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { shellWord } from "../../src/base/text/shell-word.js";
import { demoAgent, hivemind, mainProgram } from "../command.js";
import { type TestHome, until } from "../home.js";

/** A second agent in the team, `dev`, with a tool that runs one command after the other. */
export async function withTool(home: TestHome, beside: string) {
  const [orders, answer] = [join(home.root, "orders"), join(home.root, "answer")];
  execFileSync("mkfifo", [orders]);
  const loop = `(while read -r line < ${orders}; do eval "$line" > ${answer}.part 2>&1; echo "exit $?" >> ${answer}.part; mv ${answer}.part ${answer}; done)`;
  const split = ["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", beside];
  const pane = home.tmux(...split, `${loop} & exec ${process.execPath} ${demoAgent} -n dev`).trim();
  await until("its word", () => hivemind(home, ["wait", pane, "--timeout", "0"]).code === 0);
  hivemind(home, ["registry", "set", pane, "dev"]);

  /** The command's output, and `exit CODE` in its last line. */
  async function runs(...args: string[]): Promise<string> {
    rmSync(answer, { force: true });
    const line = [process.execPath, mainProgram, ...args].map(shellWord).join(" ");
    writeFileSync(orders, `${line}\n`);
    await until("the answer of the tool", () => existsSync(answer));
    return readFileSync(answer, "utf8");
  }
  return { pane, runs };
}
