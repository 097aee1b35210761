// A home, a stand-in API, and the clients started in them: they end together, and in the right order.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { readProcStat } from "../../src/base/proc-stat.js";
import { makeHome, removeHome, type TestHome, until } from "../home.js";
import { type StandInApi, startApi } from "./api.js";
import { type ClientOptions, type RealClient, startClient } from "./client.js";
import type { ClientVersion } from "./install.js";

export interface ClientWorld {
  home: TestHome;
  api: StandInApi;
  start(version: ClientVersion, options?: ClientOptions): Promise<RealClient>;
  /** Ends every client, then removes the home; throws if a client wrote into a home that is not its own. */
  end(): Promise<void>;
}

/** Made for the running test, and taken away with it. */
export async function testWorld(): Promise<ClientWorld> {
  const world = await makeWorld();
  onTestFinished(() => world.end());
  return world;
}

export async function makeWorld(): Promise<ClientWorld> {
  const home = makeHome();
  const api = await startApi();
  const clients: RealClient[] = [];
  return {
    home,
    api,
    start: async (version, options) => {
      const client = await startClient(home, api, version, options);
      clients.push(client);
      return client;
    },
    end: async () => {
      // A client that still runs would write into folders while they are removed.
      await Promise.all(clients.map((client) => client.end()));
      await endBackground(home);
      await api.close();
      const strays = straysIn(home);
      removeHome(home);
      if (strays.length > 0)
        throw new Error(`a client left files outside its config folder: ${strays.join(", ")}`);
    },
  };
}

/** What the client runs behind its panes outlives them: its daemon, and the conversations in the background. */
async function endBackground({ claude }: TestHome): Promise<void> {
  const daemon = readJson(join(claude, "daemon.status.json"));
  const sessions = join(claude, "sessions");
  const files = existsSync(sessions) ? readdirSync(sessions).filter((name) => name.endsWith(".json")) : [];
  const left = [
    { pid: daemon?.supervisorPid, start: daemon?.supervisorProcStart },
    ...files
      .map((name) => readJson(join(sessions, name)))
      .map((file) => ({ pid: file?.pid, start: file?.procStart })),
  ];
  for (const { pid, start } of left) {
    const isIt = () => typeof pid === "number" && readProcStat(pid)?.startTicks === start;
    if (!isIt()) continue;
    process.kill(pid as number, "SIGKILL");
    await until(`process ${pid} to end`, () => !isIt() || readProcStat(pid as number)?.state === "Z");
  }
}

function readJson(path: string): Record<string, unknown> | null {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** The home is a canary: a client with a config folder of its own has few reasons to write there. */
function straysIn({ home }: TestHome): string[] {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  return files.filter((file) => !expected.some((part) => file.includes(part)));
}

// The handler of its links, the logs of the npm that `/status` and `/config` run, and git's own list of what to ignore,
// into which it puts the settings it keeps in a project.
const expected = [
  "/.local/share/applications/claude-code-url-handler.desktop",
  "/.npm/_logs/",
  "/.config/git/ignore",
];
