// How the real client is brought to ask something before its conversation begins, or in the middle of it.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { until } from "../home.js";
import type { StandInApi } from "./api.js";
import type { ClientOptions, RealClient } from "./client.js";
import type { Play } from "./plays.js";
import type { ClientWorld } from "./world.js";

/** What lies in its folder or environment before a client starts, and what its screen shows then. */
export interface StartUp {
  prepare?(world: Pick<ClientWorld, "home">, cwd: string): void;
  options: ClientOptions & { ready: RegExp };
}

/** `--dangerously-skip-permissions` is refused to root outside of a sandbox. */
const sandbox = { IS_SANDBOX: "1" };

export const startUps = {
  trust: { options: { isTrusted: false, ready: /Enter to confirm/ } },
  bypass: { options: { args: ["--dangerously-skip-permissions"], env: sandbox, ready: /Yes, I accept/ } },
  server: {
    prepare: (_, cwd) => servers(cwd, "one"),
    options: { ready: /Continue without using/ },
  },
  servers: { prepare: (_, cwd) => servers(cwd, "one", "two"), options: { ready: /reject all/ } },
  imports: {
    prepare: ({ home }, cwd) => {
      const outside = join(home.root, "outside.md");
      writeFileSync(outside, "hello\n");
      writeFileSync(join(cwd, "CLAUDE.md"), `see @${outside}\n`);
    },
    options: { ready: /allow external imports/ },
  },
  key: {
    options: {
      env: { ANTHROPIC_AUTH_TOKEN: "", ANTHROPIC_API_KEY: `sk-ant-${"stand-in-".repeat(4)}` },
      ready: /No \(recommended\)/,
    },
  },
  settings: {
    prepare: ({ home }) => writeFileSync(join(home.claude, "settings.json"), "{ broken"),
    options: { ready: /Continue without these settings/ },
  },
  theme: {
    prepare: ({ home }) => writeFileSync(join(home.claude, ".claude.json"), "{}"),
    options: { ready: /Syntax theme/ },
  },
  picker: { options: { args: ["--resume"], ready: /Resume session/ } },
} satisfies Record<string, StartUp>;

function servers(cwd: string, ...names: string[]): void {
  const mcpServers = Object.fromEntries(names.map((name) => [name, { command: "cat" }]));
  writeFileSync(join(cwd, ".mcp.json"), JSON.stringify({ mcpServers }));
}

export function ask(question: string, header: string, multiSelect = false) {
  const options = [
    { label: "Red", description: "The warm one" },
    { label: "Blue", description: "The cold one" },
  ];
  return { question, header, options, multiSelect };
}

export function questions(multiSelect: boolean): Play {
  return async (client, api) => {
    api.next({
      tool: "AskUserQuestion",
      input: { questions: [ask("Which colours?", "Colours", multiSelect)] },
    });
    await client.submit("how is it going?");
    return client.waitForScreen(/Chat about this/);
  };
}

export async function reviewed(client: RealClient): Promise<unknown> {
  await client.settled();
  client.keys("Tab");
  return client.waitForScreen(/Submit answers/);
}

export async function amended(client: RealClient): Promise<unknown> {
  await client.settled();
  client.keys("Tab");
  return client.waitForScreen(/tell Claude/);
}

/** In plan mode, with a plan in the file that the client names to its model. */
export async function planned(client: RealClient, api: StandInApi): Promise<unknown> {
  await client.settled();
  api.next({ text: "good day" });
  await client.submit("hello");
  await client.waitForScreen(/good day/);
  await client.waitForStatus("idle");
  const path = await until("the plan's path", () => {
    const said = JSON.stringify(api.requests.map(({ body }) => body));
    return /\/[^"\\ ]*\/plans\/[a-z0-9-]+\.md/.exec(said)?.[0];
  });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "# The plan\n\n1. Look\n2. Leap\n");
  api.next({ tool: "ExitPlanMode", input: {} });
  await client.settled();
  await client.submit("plan it");
  return client.waitForScreen(/manually approve/);
}
