// The built `hivemind serve` at a terminal of its own, as in a person's shell. It can be killed and started again.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { mainProgram } from "../command.js";
import { ended } from "../demo-agent/driver.js";
import { paneVariables, type TestHome, until } from "../home.js";

export interface ServeAtTerminal {
  /** The last address that it printed, with its secret. */
  address(): string;
  /** `http://127.0.0.1:PORT` */
  origin: string;
  pid(): number;
  screen(): string;
  /** Resolves when it has ended. */
  signal(name: NodeJS.Signals): Promise<void>;
  /** On the same port. */
  startAgain(): Promise<void>;
  /** Ends it and its terminal. */
  close(): Promise<void>;
}

/** Resolves when it has printed its address. The folder is where it starts. */
export async function serveAtTerminal(
  home: Pick<TestHome, "root" | "env">,
  flags: readonly string[],
  folder: string,
): Promise<ServeAtTerminal> {
  const socket = join(home.root, "person");
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], {
      env: home.env,
      encoding: "utf8",
      stdio: "pipe",
    });
  const words = (port: string) => [process.execPath, mainProgram, "serve", "--port", port, ...flags];
  const variables = paneVariables(home.env);
  const size = ["-x", "200", "-y", "40"];
  tmux(
    ...["start-server", ";", "set-option", "-g", "remain-on-exit", "on", ";"],
    ...["new-session", "-d", ...size, "-c", folder, ...variables, "env", "-u", "TMUX", ...words("0")],
  );
  const screen = () => tmux("capture-pane", "-p", "-J");
  const pid = () => Number(tmux("display-message", "-p", "#{pane_pid}"));
  const isDead = () => tmux("display-message", "-p", "#{pane_dead}").trim() === "1";
  const printed = () =>
    until("the address of hivemind serve", () => {
      const [address] =
        screen()
          .match(/https?:\/\/\S+#secret=[\w-]+/g)
          ?.slice(-1) ?? [];
      if (address === undefined && isDead()) throw new Error(`hivemind serve has ended:\n${screen()}`);
      return address;
    });
  let address = await printed();
  const { origin, port } = new URL(address);
  const signal = async (name: NodeJS.Signals) => {
    const running = pid();
    process.kill(running, name);
    await ended(running);
  };
  return {
    address: () => address,
    origin,
    pid,
    screen,
    signal,
    async startAgain() {
      tmux("respawn-pane", "-k", "-c", folder, ...variables, "env", "-u", "TMUX", ...words(port));
      tmux("clear-history");
      address = await printed();
    },
    async close() {
      if (!isDead()) await signal("SIGTERM");
      tmux("kill-server");
    },
  };
}
