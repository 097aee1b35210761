// The built `hivemind mcp`, with a client of the protocol that speaks to it line by line.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { Socket } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { onTestFinished } from "vitest";
import { shellWord } from "../../src/base/text/shell-word.js";
import { demoAgent, hivemind, mainProgram } from "../command.js";
import { ended, type Json, readTranscript } from "../demo-agent/driver.js";
import { type TestHome, until } from "../home.js";

export interface McpServer {
  pid: number;
  /** The answer to a request, once its line has come. */
  request(method: string, params?: object): Promise<Json>;
  /** The result of a tool: its JSON, or its error text. */
  call(tool: string, args?: object): Promise<{ isError: boolean; text: string; value: Json }>;
  /** A line as it is. */
  write(line: string): void;
  /** Everything that it printed, line by line. */
  printed: string[];
  /** Closes its stdin, and waits for its end. */
  close(): Promise<void>;
}

export interface McpAgent {
  pane: string;
  /** Of the agent itself. */
  pid: number;
  address: string;
  /** The session that the agent's registry file names now. */
  session(): string;
  /** The records of its conversation. */
  transcript(): Json[] | null;
  mcp: McpServer;
}

let named = 0;

/**
 * A demo agent in a tmux session of its own, and a server that is a child of its process. `between`: the fields of a
 * registry file for the process between the two, which is then a client of its own. `variables`: of the server.
 */
export async function agentWithServer(
  home: TestHome,
  role: string,
  { between, variables = {} }: { between?: Record<string, unknown>; variables?: Record<string, string> } = {},
): Promise<McpAgent> {
  const folder = join(home.root, `mcp${++named}`);
  const [input, output, pidFile] = [`${folder}.in`, `${folder}.out`, `${folder}.pid`];
  execFileSync("mkfifo", [input, output]);
  const env = Object.entries(variables).map((each) => shellWord(each.join("=")));
  const server = `env ${env.join(" ")} ${process.execPath} ${mainProgram} mcp < ${input} > ${output} 2> ${folder}.err`;
  writeFileSync(
    `${folder}.sh`,
    between === undefined ? `exec ${server}` : `${registering(home, between)}\n${server}\n:`,
  );
  const place = ["-s", role, "-x", "120", "-y", "30", "-c", home.work];
  const start = ["new-session", "-d", ...place, "-P", "-F", "#{pane_id} #{pane_pid}"];
  const program = `sh ${folder}.sh & echo $! > ${pidFile}; exec ${process.execPath} ${demoAgent} -n ${role}`;
  const made = home.tmux(...start, program);
  const [pane, pid] = made.trim().split(" ") as [string, string];
  const address = home.tmux("display-message", "-p", "-t", pane, "#S:#I.#P").trim();
  await until("its word", () => hivemind(home, ["wait", pane, "--timeout", "0"]).code === 0);
  hivemind(home, ["registry", "set", pane, role]);
  const read = () => JSON.parse(readFileSync(join(home.claude, "sessions", `${pid}.json`), "utf8"));
  const pipe = openSync(input, constants.O_RDWR | constants.O_NONBLOCK);
  const out = new Socket({ fd: openSync(output, constants.O_RDWR | constants.O_NONBLOCK), writable: false });
  onTestFinished(() => void out.destroy());
  const serverPid = Number(await until("its pid", () => readFileSync(pidFile, "utf8").trim()));
  const mcp = await spoken(
    serverPid,
    out,
    (text) => void writeSync(pipe, text),
    () => closeSync(pipe),
  );
  const session = () => read().sessionId;
  return {
    pane,
    pid: Number(pid),
    address,
    session,
    transcript: () => readTranscript(home, home.work, session()),
    mcp,
  };
}

/** A line of sh that makes the shell a registered client. */
function registering({ claude }: TestHome, fields: Record<string, unknown>): string {
  const rest = JSON.stringify(fields).slice(1);
  return [
    "ticks=$(cut -d' ' -f22 /proc/$$/stat)",
    `mkdir -p ${claude}/sessions`,
    `printf '{"pid":%s,"procStart":"%s",%s\\n' $$ $ticks '${rest}' > ${claude}/sessions/$$.json`,
  ].join("\n");
}

/** A server that a person's shell runs, outside every agent. */
export async function bareServer(home: TestHome): Promise<McpServer> {
  const child: ChildProcess = spawn(process.execPath, [mainProgram, "mcp"], {
    env: home.env,
    cwd: home.work,
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const { stdin, stdout, pid } = child;
  return spoken(
    pid!,
    stdout!,
    (text) => void stdin!.write(text),
    () => void stdin!.end(),
  );
}

async function spoken(
  pid: number,
  out: Readable,
  write: (text: string) => void,
  closeInput: () => void,
): Promise<McpServer> {
  const printed: string[] = [];
  const answers = new Map<number, Json>();
  createInterface({ input: out }).on("line", (line) => {
    printed.push(line);
    const message = JSON.parse(line) as Json;
    if (message.id !== undefined) answers.set(message.id, message);
  });
  let last = 0;
  const say = (message: object) => write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const request = (method: string, params: object = {}) => {
    const id = ++last;
    say({ id, method, params });
    return until(`the answer to ${method}`, () => answers.get(id), 30_000, 10);
  };
  const clientInfo = { name: "test", version: "1" };
  await request("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo });
  say({ method: "notifications/initialized" });
  return {
    ...{ pid, printed, request },
    call: async (name, args = {}) => {
      const { result } = await request("tools/call", { name, arguments: args });
      const { text } = result.content[0];
      const isError = result.isError === true;
      return { isError, text, value: isError ? {} : JSON.parse(text) };
    },
    write: (line) => write(`${line}\n`),
    close: async () => {
      closeInput();
      await ended(pid);
    },
  };
}
