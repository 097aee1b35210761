// Programs that try to decide: shell lines that somebody runs, and what the command answered.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shellWord } from "../../src/base/text/shell-word.js";
import { mainProgram } from "../command.js";
import { type TestHome, until } from "../home.js";

export const byAgent =
  /only a person may decide this, and an agent runs it\n {2}type it in your own shell\nexit 1\n$/;
export const byNobody =
  /only a person may decide this, and nothing shows that a person runs it\n {2}type it in a terminal\nexit 1\n$/;

/** Variables that still reach this home, and nothing else: no test may see the real home or tmux server. */
export const bareVariables = (home: TestHome) =>
  ["PATH", "HOME", "HIVEMIND_CONFIG_DIR", "HIVEMIND_TMUX_SOCKET"].map((name) => `${name}=${home.env[name]}`);

/**
 * Runs shell lines one after the other. In a line, `"$decide"` runs the command and reports what it printed;
 * `"$orphan"` does the same once the shell of the lines is no longer above it. `typed` is for a shell that is process 1:
 * its `"$orphan"` runs once nothing but that shell is above it.
 */
export function ordersIn(home: TestHome, name: string, usual: readonly string[]) {
  const at = (file: string) => join(home.root, `${name}-${file}`);
  const [pipe, answer] = [at("pipe"), at("answer")];
  execFileSync("mkfifo", [pipe]);
  const program = (file: string, ...lines: string[]) => {
    writeFileSync(at(file), `#!/bin/sh\n${lines.join("\n")}\n`, { mode: 0o755 });
    return at(file);
  };
  const command = (args: readonly string[]) =>
    program(
      "decide",
      `${[process.execPath, mainProgram, ...args].map(shellWord).join(" ")} > ${answer}.part 2>&1`,
      `echo "exit $?" >> ${answer}.part; mv ${answer}.part ${answer}`,
    );
  const decide = command([]);
  const orphan = program(
    "orphan",
    "isBelow() {",
    '  above="$$"',
    '  while [ "$above" -gt 1 ]; do',
    `    [ "$above" = "$(cat ${at("shell")})" ] && return 0`,
    `    [ "$above$(cat ${at("shell")})" != "$$"any ] && [ any = "$(cat ${at("shell")})" ] && return 0`,
    '    read -r stat < "/proc/$above/stat" || return 1',
    // What follows the name: the state, the parent.
    "    set -- ${" + "stat##*) }",
    '    above="$2"',
    "  done",
    "  return 1",
    "}",
    `while isBelow; do sleep 0.02; done; ${decide}`,
  );
  // Waits for the shell, but not the whole process.
  const toLoop = (line: string) => void writeFile(pipe, `${line}\n`);
  const programs = `decide=${decide} orphan=${orphan}; export decide orphan`;
  return {
    typed: `echo any > ${at("shell")}; ${programs}`,
    loop: `(echo $$ > ${at("shell")}; ${programs}; while [ -p ${pipe} ]; do read -r line < ${pipe} && eval "$line"; done)`,
    async report(
      line: string,
      args: readonly string[] = usual,
      type: (line: string) => void = toLoop,
    ): Promise<string> {
      rmSync(answer, { force: true });
      command(args);
      type(line);
      await until(`the answer to ${line}`, () => existsSync(answer));
      return readFileSync(answer, "utf8");
    },
  };
}
