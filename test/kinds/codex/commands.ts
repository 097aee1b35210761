// The command, run beside real programs. The stand-ins for their APIs live in the test's own process, so a command must
// not stop that process while it runs.

import type { SessionId } from "../../../src/names/gates.js";
import type { Ran } from "../../command.js";
import { hurriedProgram } from "../../commands/build.js";
import { askBeside } from "../../commands/client.js";
import { type TestHome, until } from "../../home.js";
import { patientEnv } from "../patience.js";
import { type CodexWorld, testCodex } from "./driver.js";

export interface SeenAgent {
  pane: string;
  paneId: string;
  role: string | null;
  kind: string;
  uuid: SessionId | null;
  activity: string;
  [fact: string]: unknown;
}

export interface Commands extends CommandsIn {
  world: CodexWorld;
}

export interface CommandsIn {
  run(...args: string[]): Promise<Ran>;
  /** Of a command that must succeed. */
  done(...args: string[]): Promise<string>;
  json<T>(...args: string[]): Promise<T>;
  agent(role: string): Promise<SeenAgent>;
  /** Waits until a look shows this activity. */
  becomes(role: string, activity: string): Promise<SeenAgent>;
  screen(role: string): Promise<string>;
}

export async function testCommands(): Promise<Commands> {
  const world = await testCodex();
  return { world, ...commandsIn(world.home, world.env) };
}

export function commandsIn(home: TestHome, env: Record<string, string>): CommandsIn {
  const run = (...args: string[]) => runAtTerminal(home, env, args);
  const done = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(...args);
    if (code !== 0) throw new Error(`hivemind ${args.join(" ")}: exit ${code}: ${stdout}${stderr}`);
    return stdout;
  };
  const json = async <T>(...args: string[]) => JSON.parse(await done(...args, "--json")) as T;
  const agent = async (role: string) => {
    const { teams } = await json<{ teams: { agents: SeenAgent[] }[] }>("status");
    const found = teams.flatMap(({ agents }) => agents).find((each) => each.role === role);
    if (found === undefined) throw new Error(`there is no agent ${role}`);
    return found;
  };
  const becomes = async (role: string, activity: string) => {
    let last: SeenAgent | null = null;
    return until(`${role} is ${activity}`, async () => {
      last = await agent(role);
      return last.activity === activity ? last : null;
    }).catch((error: Error) => {
      throw new Error(`${error.message}; it is ${JSON.stringify(last)}`);
    });
  };
  const screen = async (role: string) => home.tmux("capture-pane", "-p", "-t", (await agent(role)).pane);
  return { run, done, json, agent, becomes, screen };
}

/** With the patience of this suite, also for what the command leaves behind. */
export function runAtTerminal(
  { work }: TestHome,
  env: Record<string, string>,
  args: readonly string[],
): Promise<Ran> {
  const request = { args, env: { ...env, ...patientEnv }, cwd: work, input: "", limits: {} };
  return askBeside({ ...request, program: hurriedProgram }, "terminal");
}
