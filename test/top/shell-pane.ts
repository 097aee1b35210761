// A person's shell in a real pane, with the fixture program of the terminal in it.

import { execFileSync } from "node:child_process";
import { shellWord } from "../../src/base/text/shell-word.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

export interface ShellPane {
  home: TestHome;
  /** Of the shell, or of the program that runs in its place. */
  pid: number;
  screen(): string;
  /** With its styles. */
  styled(): string;
  /** What a program can leave behind: the modes of the terminal in tmux and in the kernel. */
  modes(): string;
  type(text: string): void;
  press(...keys: string[]): void;
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  sees(text: string | RegExp): Promise<string>;
  /** Types a line at the prompt. */
  run(line: string): void;
  /** Starts the program and returns its process id as soon as it has painted. */
  start(program: string, variables?: string): Promise<number>;
  /** The process id that the program shows. */
  painted(): Promise<number>;
  /** The exit code of the last program, when the prompt is back. */
  exitCode(): Promise<number>;
}

export interface PaneOptions {
  columns?: number;
  rows?: number;
  /** Runs in the place of the shell. */
  argv?: readonly string[];
}

const prompt = "ready> ";

export async function shellPane(options: PaneOptions = {}): Promise<ShellPane> {
  const { columns = 80, rows = 24, argv = ["sh"] } = options;
  const home = testHome();
  const place = home.tmux(
    ...["new-session", "-d", "-P", "-F", "#{pane_id} #{pane_pid} #{pane_tty}"],
    ...["-x", String(columns), "-y", String(rows), "-c", home.work],
    ...[...paneVariables({ PS1: prompt }), ...argv],
  );
  const [pane, pid, tty] = place.trim().split(" ") as [string, string, string];
  let asked = 0;
  const shell: ShellPane = {
    home,
    pid: Number(pid),
    screen: () => home.tmux("capture-pane", "-p", "-t", pane),
    styled: () => home.tmux("capture-pane", "-p", "-e", "-t", pane),
    modes: () =>
      home.tmux("display-message", "-p", "-t", pane, tmuxModes) +
      execFileSync("stty", ["-a", "-F", tty], { encoding: "utf8" }),
    type: (text) => void home.tmux("send-keys", "-t", pane, "-l", text),
    press: (...keys) => void home.tmux("send-keys", "-t", pane, ...keys),
    paste(text) {
      home.tmux(
        "set-buffer",
        "-b",
        "draft",
        text,
        ";",
        "paste-buffer",
        "-p",
        "-d",
        "-b",
        "draft",
        "-t",
        pane,
      );
    },
    resize: (width, height) =>
      void home.tmux("resize-window", "-t", pane, "-x", String(width), "-y", String(height)),
    sees: (text) =>
      until(`${text} in ${shell.screen()}`, () => {
        const screen = shell.screen();
        return (typeof text === "string" ? screen.includes(text) : text.test(screen)) ? screen : null;
      }),
    run(line) {
      shell.type(line);
      shell.press("Enter");
    },
    async start(program, variables = "") {
      shell.run(`env ${variables} ${[process.execPath, program].map(shellWord).join(" ")}`);
      return shell.painted();
    },
    painted: async () =>
      Number(/pid (\d+)/.exec(await shell.sees(/^count \d+ size \d+x\d+ pid \d[\s\S]*!\n$/))![1]),
    async exitCode() {
      const question = ++asked;
      await shell.sees(new RegExp(`${prompt.trim()}\\n*$`));
      shell.run(`echo "answer ${question}:" $?`);
      const screen = await shell.sees(new RegExp(`^answer ${question}: \\d+\\n${prompt.trim()}`, "m"));
      return Number(new RegExp(`^answer ${question}: (\\d+)`, "m").exec(screen)![1]);
    },
  };
  if (options.argv === undefined) await shell.sees(new RegExp(`^${prompt.trim()}`));
  return shell;
}

const tmuxModes =
  "alternate #{alternate_on} cursor #{cursor_flag} wrap #{wrap_flag} keypad #{keypad_flag} #{keypad_cursor_flag} " +
  "mouse #{mouse_any_flag} #{mouse_standard_flag} #{mouse_button_flag} #{mouse_all_flag} #{mouse_sgr_flag}";
