// The server of a fleet and the commands around it, as a person types them.

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { atTerminal } from "../at-terminal.js";
import { mainProgram, type Ran } from "../command.js";
import { type TestHome, until } from "../home.js";

/** Typed by a person. */
export function typed(home: TestHome, ...args: string[]): Promise<Ran> {
  return ranAs(home, process.execPath, mainProgram, ...args);
}

/** By something that no terminal controls. */
export function unattended(home: TestHome, ...args: string[]): Promise<Ran> {
  return ranAs(home, "setsid", "-w", process.execPath, mainProgram, ...args);
}

function ranAs(home: TestHome, ...argv: string[]): Promise<Ran> {
  const [program, words] = atTerminal(argv);
  return new Promise((resolve) => {
    execFile(program, words, { env: home.env, cwd: home.work }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : ((error.code as number | undefined) ?? 1), stdout, stderr });
    });
  });
}

export interface Serving {
  child: ChildProcess;
  said(): string;
  stop(): Promise<number | null>;
}

export async function serving(home: TestHome, ...args: string[]): Promise<Serving> {
  const child = spawn(process.execPath, [mainProgram, "fleet", "serve", ...args], {
    env: home.env,
    cwd: home.work,
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  const stop = () => {
    child.kill("SIGINT");
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  await until("the server greets or ends", () => said.includes("Ctrl-C ends it") || child.exitCode !== null);
  return { child, said: () => said, stop };
}

export function serverFolder({ config }: TestHome): string {
  return join(config, "hivemind.fleet", "server");
}

export async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return String(port);
}
