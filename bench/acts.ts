// What a person waits for when hivemind acts: `up` of many demo agents, a message to an idle one, `restore` of a team.
//
// The times are those of whole commands. The demo agent records a message at the moment of the Enter key.

import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bar, barOf, whole } from "./bar.js";
import { type BenchHome, makeBenchHome } from "./home.js";
import { until } from "./top-fleet.js";
import { median, type Timed, used } from "./used.js";

export interface ActOptions {
  /** How many `up` starts, and how many `restore` brings back. */
  upAgents?: number;
  restored?: number;
  messages?: number;
}

const upMs = 12_000;
const enterMs = 450;
const restoreMs = 8_000;

export async function actBars(options: ActOptions = {}): Promise<Bar[]> {
  const { upAgents = 50, restored = 20, messages = 20 } = options;
  const begun = await inHome((home) => upAndSend(home, upAgents, messages));
  return [...begun, ...(await inHome((home) => restore(home, restored)))];
}

async function inHome(measure: (home: BenchHome) => Bar[] | Promise<Bar[]>): Promise<Bar[]> {
  const home = makeBenchHome("acts");
  try {
    return await measure(home);
  } finally {
    home.remove();
  }
}

/** The folder of a team file. */
export function writeTeam({ root }: BenchHome, agents: number, prompt: string | null): string {
  const folder = join(root, "team");
  mkdirSync(folder);
  writeFileSync(join(folder, "role.md"), `${prompt}\n`);
  const defaults = ["defaults:", "  kind: demo", ...(prompt === null ? [] : ["  prompt: role.md"])];
  const rows = Array.from({ length: agents }, (_, at) => `  agent-${at}:`);
  writeFileSync(
    join(folder, "hivemind.yaml"),
    ["project: bench", ...defaults, "agents:", ...rows, ""].join("\n"),
  );
  return folder;
}

function upAndSend(home: BenchHome, agents: number, messages: number): Bar[] {
  const cwd = writeTeam(home, agents, null);
  const up = used({ ...home.hivemind("up"), cwd });
  const spent = `${whole(up.wallMs)} ms, ${whole(up.cpuMs)} ms of them own processor time`;
  return [
    barOf(`\`up\` of ${agents} demo agents / ${upMs / 1000} s`, up.wallMs / upMs, spent),
    ...sendBars(home, cwd, agents, messages),
  ];
}

function sendBars(home: BenchHome, cwd: string, agents: number, messages: number): Bar[] {
  const sent = Array.from({ length: messages }, (_, at) => {
    const text = `message number ${at} of the bench`;
    const command: Timed = { ...home.hivemind("send", `agent-${at % agents}`, text), cwd };
    const fromMs = Date.now();
    const { cpuMs } = used(command);
    const provedMs = Date.now() - fromMs;
    return { enterMs: recordedAt(home, text) - fromMs, provedMs, cpuMs };
  });
  const of = (what: keyof (typeof sent)[number]) => median(sent.map((each) => each[what]));
  const detail = `${agents} agents: ${whole(of("enterMs"))} ms to Enter, ${whole(of("provedMs"))} ms to the proof, ${whole(of("cpuMs"))} ms of processor time`;
  return [
    barOf(`\`send\` to an idle agent, to the Enter key / ${enterMs} ms`, of("enterMs") / enterMs, detail),
  ];
}

/** When the agent recorded these words. */
function recordedAt({ env }: BenchHome, text: string): number {
  const folder = join(env.CLAUDE_CONFIG_DIR!, "projects");
  const files = execFileSync("grep", ["-rlF", text, folder], { encoding: "utf8" }).trim().split("\n");
  const lines = files.flatMap((file) => readFileSync(file, "utf8").split("\n"));
  const said = lines.filter((line) => line.includes(text)).map((line) => JSON.parse(line));
  return Date.parse(said.find(({ type }) => type === "user").timestamp);
}

/** After a power cut: the tmux server and everything in it is gone. Each agent has a conversation. */
async function restore(home: BenchHome, agents: number): Promise<Bar[]> {
  const cwd = writeTeam(home, agents, "hello");
  used({ ...home.hivemind("up"), cwd });
  for (let at = 0; at < agents; at++) used({ ...home.hivemind("wait", `agent-${at}`), cwd });
  used({ ...home.hivemind("save"), cwd });
  home.tmux("kill-server");
  const registry = join(home.env.CLAUDE_CONFIG_DIR!, "sessions");
  await until("every agent has ended", () => readdirSync(registry).length === 0);
  const back = used({ ...home.hivemind("restore"), cwd });
  const detail = `${whole(back.wallMs)} ms, ${whole(back.cpuMs)} ms of them own processor time`;
  return [
    barOf(`\`restore\` of ${agents} demo agents / ${restoreMs / 1000} s`, back.wallMs / restoreMs, detail),
  ];
}
