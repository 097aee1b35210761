// The real OpenCode in the home of a test, in an environment that knows nothing of this machine.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { opencodeTranscripts } from "../../../src/agents/opencode/transcript/find.js";
import { isProgram } from "../../../src/agents/opencode/words.js";
import { findAll } from "../../../src/base/system/processes.js";
import type { SessionId } from "../../../src/names/gates.js";
import { newSearch } from "../../../src/transcripts/find.js";
import { endAll } from "../../client/end-all.js";
import { makeHome, removeHome, type TestHome } from "../../home.js";
import { type CommandsIn, commandsIn } from "../codex/commands.js";
import { installOpencode } from "./install.js";
import { type StandInApi, startApi } from "./stand-in.js";

export interface OpencodeWorld extends CommandsIn {
  home: TestHome;
  /** The client's own folder. */
  folder: string;
  api: StandInApi;
  env: Record<string, string>;
  /** The lines of a conversation; empty if there is none. */
  conversation(id: SessionId): string;
}

/** Made for the running test, and taken away with it. */
export async function testOpencode(): Promise<OpencodeWorld> {
  const home = makeHome();
  const { folder, api, env } = await prepareOpencode(home);
  onTestFinished(async () => {
    endOpencodes(home);
    await endAll(home);
    await api.close();
    removeHome(home);
  });
  const conversation = (id: SessionId) => conversationIn(folder, id);
  return { home, folder, api, env, conversation, ...commandsIn(home, env) };
}

/** A client that lost its terminal may go on. */
export function endOpencodes({ root }: TestHome): void {
  const own = findAll(({ args }) => args[0]?.startsWith(root) === true && isProgram(args[0]));
  for (const { pid } of own) process.kill(pid, "SIGKILL");
}

export function conversationIn(folder: string, id: SessionId): string {
  const found = opencodeTranscripts.findSessions(folder, new Set([id]), newSearch());
  return found.map(({ path }) => readFileSync(path, "utf8")).join("");
}

/** The program in a home, and `opencode` in the PATH of the environment. */
export async function prepareOpencode(home: TestHome) {
  const api = await startApi();
  const settings = join(home.home, ".config", "opencode");
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, "opencode.json"), JSON.stringify(settingsFor(api)));
  const bin = join(home.root, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(await installOpencode(), join(bin, "opencode"));
  const env: Record<string, string> = { ...home.env, ...offline, PATH: `${bin}:${home.env.PATH}` };
  return { folder: join(home.home, ".local", "share", "opencode"), api, env };
}

function settingsFor({ url }: StandInApi) {
  const model = { name: "Stand-in", limit: { context: 100_000, output: 8_000 } };
  return {
    autoupdate: false,
    share: "disabled",
    model: "stub/stand-in",
    small_model: "stub/stand-in",
    permission: { bash: "ask" },
    provider: {
      stub: {
        npm: "@ai-sdk/openai-compatible",
        name: "Stub",
        options: { baseURL: url, apiKey: "stand-in" },
        models: { "stand-in": model },
      },
    },
  };
}

/** Nothing it asks of the outside can leave: the proxy is a closed port. Without these it waits for the network. */
const closed = "http://127.0.0.1:9";
const offline = {
  HTTP_PROXY: closed,
  HTTPS_PROXY: closed,
  ALL_PROXY: closed,
  NO_PROXY: "127.0.0.1",
  OPENCODE_DISABLE_AUTOUPDATE: "1",
  OPENCODE_DISABLE_MODELS_FETCH: "1",
  OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
  OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
};
