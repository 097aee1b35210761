// A team of real Gemini CLIs that the built hivemind starts, in a private tmux, against the stand-in.

import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { isGemini } from "../../../src/agents/gemini/recognise.js";
import { readBox } from "../../../src/agents/gemini/screen/input-box.js";
import { findAll, readProcessVariable } from "../../../src/base/system/processes.js";
import type { SessionId } from "../../../src/names/gates.js";
import { endAll, hasEnded } from "../../client/end-all.js";
import type { Ran } from "../../command.js";
import { makeHome, removeHome, type TestHome, until } from "../../home.js";
import { runAtTerminal } from "../codex/commands.js";
import { writeSettings } from "./driver.js";
import { installGemini } from "./install.js";
import { type StandInApi, startApi } from "./stand-in.js";

export interface AgentStatus {
  pane: string;
  role: string;
  kind: string;
  uuid: SessionId | null;
  activity: string;
  [more: string]: unknown;
}

export interface GeminiTeam {
  home: TestHome;
  api: StandInApi;
  env: Record<string, string>;
  /** The stand-in answers meanwhile. */
  run(...args: string[]): Promise<Ran>;
  /** The output of a command that must succeed, and with `all` its notes too. */
  ok(...args: string[]): Promise<string>;
  all(...args: string[]): Promise<string>;
  agents(): Promise<AgentStatus[]>;
  agent(role: string): Promise<AgentStatus>;
  screen(role: string): Promise<string>;
  /** Types as a person does, and waits until the box has given the text away. */
  type(role: string, text: string): Promise<void>;
  becomes(role: string, activity: string): Promise<AgentStatus>;
  /** The living processes of Gemini CLI in this home. */
  processes(): number[];
}

export interface TeamOptions {
  /** The client's own cleaning of sessions without a message; off unless a test is about it. */
  isCleanedUp?: boolean;
  isTrusted?: boolean;
}

export async function geminiTeam(options: TeamOptions = {}): Promise<GeminiTeam> {
  const home = makeHome();
  const api = await startApi();
  onTestFinished(async () => {
    await endGeminis(home);
    await endAll(home);
    await api.close();
    removeHome(home);
  });
  const { env } = await prepareGemini(home, api, options);
  const run = (...args: string[]) => runAtTerminal(home, { ...home.env, ...env }, args);
  const done = async (args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    if (code !== 0) throw new Error(`hivemind ${args.join(" ")}: exit ${code}\n${stdout}\n${stderr}`);
    return { stdout, stderr };
  };
  const ok = async (...args: string[]) => (await done(args)).stdout;
  const all = async (...args: string[]) => Object.values(await done(args)).join("");
  const agents = async (): Promise<AgentStatus[]> =>
    JSON.parse(await ok("status", "--json")).teams.flatMap((team: { agents: AgentStatus[] }) => team.agents);
  const agent = async (role: string) => (await agents()).find((each) => each.role === role)!;
  const screen = async (role: string) =>
    home.tmux("capture-pane", "-p", "-t", `=${(await agent(role)).pane}`);
  const draft = (pane: string) => {
    const box = readBox(home.tmux("capture-pane", "-p", "-e", "-t", pane).replace(/\n$/, "").split("\n"));
    return box.kind === "draft" ? box.text : null;
  };
  return {
    ...{ home, api, env, run, ok, all, agents, agent },
    screen,
    type: async (role, text) => {
      const pane = `=${(await agent(role)).pane}`;
      home.tmux("send-keys", "-t", pane, "-l", "--", text);
      await until(`"${text}" in the box`, () => draft(pane) === text);
      // Typed by a program it looks like a paste, and an Enter within 40 ms is a line break: no screen shows the end.
      await new Promise((rest) => setTimeout(rest, 100));
      home.tmux("send-keys", "-t", pane, "Enter");
      await until(`"${text}" taken from the box`, () => draft(pane) !== text);
    },
    becomes: (role, activity) =>
      until(`${role} ${activity}`, async () => {
        const now = await agent(role);
        return now?.activity === activity ? now : null;
      }).catch(async (error) => {
        const told = JSON.stringify(await agent(role));
        throw new Error(`${error.message}; its screen was:\n${await screen(role)}\n${told}`);
      }),
    processes: () => processesIn(home),
  };
}

/** The client in a home, quiet and without a question, and `gemini` in the PATH of the environment. */
export async function prepareGemini(
  home: TestHome,
  api: StandInApi,
  options: TeamOptions = {},
): Promise<{ env: Record<string, string> }> {
  const { isCleanedUp = false, isTrusted = true } = options;
  writeSettings(home, { general: { sessionRetention: { enabled: isCleanedUp } } });
  if (isTrusted)
    writeFileSync(
      join(home.home, ".gemini", "trustedFolders.json"),
      JSON.stringify({ [realpathSync(home.root)]: "TRUST_FOLDER" }),
    );
  const bin = join(home.root, "bin");
  mkdirSync(bin, { recursive: true });
  const script = await installGemini();
  chmodSync(script, 0o755);
  symlinkSync(script, join(bin, "gemini"));
  const PATH = `${bin}:${home.env.PATH}`;
  return { env: { PATH, GEMINI_API_KEY: "stand-in", GOOGLE_GEMINI_BASE_URL: api.url } };
}

/** They outlive their panes. */
export async function endGeminis(home: TestHome): Promise<void> {
  const pids = processesIn(home);
  for (const pid of pids) process.kill(pid, "SIGKILL");
  await until("the end of all clients", () => [...pids, ...processesIn(home)].every(hasEnded));
}

/** Only processes with this test's own home in their environment. */
function processesIn({ home }: TestHome): number[] {
  return findAll(({ args }) => isGemini(args)).flatMap(({ pid }) =>
    readProcessVariable(pid, "HOME") === home ? pid : [],
  );
}
